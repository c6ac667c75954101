export type KeyPath = readonly (string | number)[];

/** One thing to correct in the config. Never holds a value of a key that may be secret. */
export interface ConfigFault {
  /** `hosts[0].urls[1]`; '' is the whole file. */
  key: string;
  /** In the YAML, from 1; null where no place can be named. */
  line: number | null;
  message: string;
}

export function shownFault({ key, line, message }: ConfigFault): string {
  const place = line === null ? '' : `line ${line}: `;
  return `${place}${key === '' ? '' : `${key}: `}${message}`;
}

export function shownKey(path: KeyPath): string {
  let shown = '';
  for (const step of path) {
    if (typeof step === 'number') shown += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) shown += shown === '' ? step : `.${step}`;
    else shown += `[${JSON.stringify(step)}]`;
  }
  return shown;
}
