import { startSearchThread } from '../../search/index.ts';
import { GraphAnswers, type GraphQuestion } from './run-graph.ts';

const graph = new GraphAnswers();
startSearchThread((question, ground) => graph.answer(question as GraphQuestion, ground));
