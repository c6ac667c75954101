import { z } from 'zod';
import { configSchema } from './schema.ts';

/** The part of JSON Schema 2020-12 that the config's schema comes out as. */
export interface JsonSchema {
  $schema?: string;
  title?: string;
  type?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/** For editors (`# yaml-language-server: $schema=...`) and for the generated reference. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema;
  return { ...schema, title: 'periscope.yaml' };
}
