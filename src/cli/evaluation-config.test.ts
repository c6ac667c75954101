import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { evaluationConfig } from './evaluation-config.ts';

const config = await loadConfig({ env: {}, cwd: '/', homeFolder: '/nowhere' });

describe('an evaluation', () => {
  it('takes the repositories that are listed already, and lists none anew', () => {
    const { hosts, roles } = evaluationConfig(config, { served: ['local'], named: false });
    expect(hosts).toEqual([{ kind: 'folder', name: 'local', folders: ['/'], depthMax: 0 }]);
    expect(roles).toEqual([]);
  });

  it('names a host of the config once', () => {
    const own = {
      ...config,
      hosts: [{ kind: 'folder', name: 'acme', folders: ['/x'], depthMax: 6 }] as const,
    };
    const { hosts } = evaluationConfig({ ...own, hosts: [...own.hosts] } as typeof config, {
      served: ['acme', 'local'],
      named: false,
    });
    expect(hosts.map(({ name }) => name)).toEqual(['acme', 'local']);
  });

  it('gives the encoder the time to load its model', () => {
    expect(config.retrieval.encodeMs).toBe(300);
    expect(evaluationConfig(config, { served: [], named: true }).retrieval.encodeMs).toBe(60_000);
  });
});
