import { startSearchThread } from '../../search/index.ts';
import { GraphAnswers, type GraphQuestion } from '../../symbols/index.ts';
import { RetrievalAnswers } from './retrieval-answers.ts';
import type { RetrievalQuestion } from './retrieval-question.ts';

const graph = new GraphAnswers();
const retrieval = new RetrievalAnswers(graph);

startSearchThread((question, ground) =>
  isRetrieval(question)
    ? retrieval.answer(question, ground)
    : graph.answer(question as GraphQuestion, ground),
);

function isRetrieval(question: unknown): question is RetrievalQuestion {
  return (question as { kind?: unknown }).kind === 'retrieval';
}
