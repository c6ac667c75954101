/** Ways of ranking that the benches of meaning compare: which vectors there are, and which stages run. */
const none = {
  ...{
    keywords: false,
    table: false,
    encoder: false,
    expansion: false,
    scorer: false,
    files: false,
    nearDuplicates: false,
  },
};

/** In the order of the tables; `beside` is what a row's gain is counted over. */
export function stageRankings(everyStage) {
  const ranked = (vectors, stages) => ({ vectors, ranking: { ...everyStage, ...none, ...stages } });
  const fused = { keywords: true, table: true, encoder: true };
  const withTable = { keywords: true, table: true };
  return [
    { name: 'keywords', ...ranked('all', { keywords: true }), beside: null },
    { name: 'table alone', ...ranked('all', { table: true }), beside: 'keywords' },
    { name: 'encoder alone', ...ranked('all', { encoder: true }), beside: 'keywords' },
    { name: 'keywords + table', ...ranked('all', { keywords: true, table: true }), beside: 'keywords' },
    { name: 'keywords + encoder', ...ranked('all', { keywords: true, encoder: true }), beside: 'keywords' },
    { name: 'fused, 10 % encoded', ...ranked('tenth', fused), beside: 'keywords + table' },
    { name: 'fused, 50 % encoded', ...ranked('half', fused), beside: 'keywords + table' },
    { name: 'fused, all encoded', ...ranked('all', fused), beside: 'keywords' },
    { name: '+ expansion', ...ranked('all', { ...fused, expansion: true }), beside: 'fused, all encoded' },
    { name: '+ scorer', ...ranked('all', { ...fused, scorer: true }), beside: 'fused, all encoded' },
    {
      name: '+ scorer + files',
      ...ranked('all', { ...fused, scorer: true, files: true }),
      beside: '+ scorer',
    },
    {
      name: '+ expansion + scorer',
      ...ranked('all', { ...fused, expansion: true, scorer: true }),
      beside: '+ scorer',
    },
    {
      name: '+ scorer + near-duplicates',
      ...ranked('all', { ...fused, scorer: true, nearDuplicates: true }),
      beside: '+ scorer',
    },
    {
      name: 'scorer, 10 % encoded',
      ...ranked('tenth', { ...fused, scorer: true }),
      beside: 'fused, 10 % encoded',
    },
    {
      name: 'expansion, table alone',
      ...ranked('all', { ...withTable, expansion: true }),
      beside: 'keywords + table',
    },
    {
      name: 'scorer, table alone',
      ...ranked('all', { ...withTable, scorer: true }),
      beside: 'keywords + table',
    },
    {
      name: 'files, table alone',
      ...ranked('all', { ...withTable, scorer: true, files: true }),
      beside: 'scorer, table alone',
    },
    {
      name: 'near-duplicates, table alone',
      ...ranked('all', { ...withTable, scorer: true, nearDuplicates: true }),
      beside: 'scorer, table alone',
    },
  ];
}
