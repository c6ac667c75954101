import { configJsonSchema, type JsonSchema } from './json-schema.ts';

/** The page docs/reference/config.md: every key of the schema with its default and its sentence. */
export function configReference(): string {
  const schema = configJsonSchema();
  const sections: string[] = [];
  const top: string[] = [];
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const rows = rowsOf(field, '');
    top.push(row(key, field, schema));
    if (rows.length > 0) sections.push(`## ${key}\n\n${sentence(field)}\n\n${rows.join('\n').trimEnd()}`);
  }
  return `${intro}\n${tableHead}\n${top.join('\n')}\n\n${sections.join('\n\n')}\n`;
}

const intro = `# periscope.yaml

Generated from the schema in src/config: run \`npm run generate\` after a change. An editor that knows YAML schemas completes and checks
the file with \`docs/reference/periscope.schema.json\`; \`periscope config check\` reports every fault at once.

The file is the one named by \`--config\`, else by the environment variable \`PERISCOPE_CONFIG\`, else \`periscope.yaml\` in the data
folder. None is needed: \`periscope up FOLDER...\` works without. The current folder is not searched, because it may be a repository of
somebody else's. Unknown keys are faults. An example that is checked by the tests: [periscope.example.yaml](../periscope.example.yaml).

Times have a unit (\`500ms\`, \`30s\`, \`5m\`, \`1h\`, \`7d\`), sizes too (\`10MB\` counts by 1000, \`1GiB\` by 1024). Relative paths start
at the file's folder, \`~\` is the home folder.

Secrets are references and never stand in the file: \`env:NAME\` is an environment variable, \`file:/path\` a file that holds nothing
else, \`exec:command args\` what a command prints (run without a shell, within 10 seconds, kept for five minutes).
`;

const tableHead = '| key | value | default | |\n|---|---|---|---|';

/** Rows of the keys below a section; a list of sections of several kinds gives a table for each kind. */
function rowsOf(field: JsonSchema, prefix: string): string[] {
  const forms = field.oneOf ?? field.items?.oneOf;
  if (forms) return forms.flatMap((form) => formRows(form, prefix));
  const rows = keyRows(field, prefix);
  return rows.length > 0 ? [tableHead, ...rows] : [];
}

function formRows(form: JsonSchema, prefix: string): string[] {
  const { kind, ...others } = form.properties ?? {};
  const rows = keyRows({ ...form, properties: others }, prefix);
  const head = `### kind: ${String(kind?.const)}\n\n${kind?.description ?? ''}\n`;
  return rows.length > 0 ? [head, tableHead, ...rows, ''] : [head];
}

function keyRows(section: JsonSchema, prefix: string): string[] {
  return Object.entries(section.properties ?? {}).flatMap(([key, field]) => {
    const below = field.properties ? field : field.items?.properties ? field.items : null;
    const name = `${prefix}${key}`;
    return [
      row(name, field, section, key),
      ...(below ? keyRows(below, `${name}${field.items ? '[]' : ''}.`) : []),
    ];
  });
}

function row(name: string, field: JsonSchema, section: JsonSchema, key = name): string {
  const required = section.required?.includes(key);
  const byDefault = required ? 'must be given' : shownDefault(field);
  return `| \`${name}\` | ${typeOf(field)} | ${byDefault} | ${sentence(field)} |`;
}

function shownDefault({ default: value }: JsonSchema): string {
  if (value === undefined || typeof value === 'object') return '';
  return `\`${String(value)}\``;
}

function typeOf(field: JsonSchema): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (field.enum) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (field.anyOf) return field.anyOf[0]?.pattern?.includes('MiB') ? 'size' : 'time';
  if (field.oneOf || field.properties) return 'section';
  if (field.type === 'array')
    return `list of ${field.items?.properties || field.items?.oneOf ? 'sections' : typeOf(field.items ?? {})}`;
  if (typeof field.additionalProperties === 'object')
    return `names, each with a ${typeOf(field.additionalProperties)}`;
  if (field.type === 'integer') return 'number';
  if (field.type === 'boolean') return '`true`, `false`';
  if (field.pattern?.includes('env:')) return 'secret reference';
  return 'text';
}

function sentence({ description }: JsonSchema): string {
  return (description ?? '').replaceAll('|', '\\|');
}
