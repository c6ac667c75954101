import { startSearchThread } from './search-thread.ts';

startSearchThread();
