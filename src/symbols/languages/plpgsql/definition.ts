import type { ScannedLanguage } from '../../extractor/language-definition.ts';
import { sql } from '../sql/definition.ts';

/** The language table tells files of stored procedures (`.pgsql`, `.pkb`) apart; the scanner reads both. */
export const plpgsql: ScannedLanguage = sql;
