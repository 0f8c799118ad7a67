import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

test('the entry of the package has its version and loads neither the daemon nor the exchange', () => {
  // Loaded modules are those that a process of its own has asked for.
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const entry = await import('godwit');
    console.log(JSON.stringify({ names: Object.keys(entry), version: entry.version, loaded }));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=godwit-source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '--eval',
      code,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const { names, version, loaded } = JSON.parse(stdout) as {
    readonly names: readonly string[];
    readonly version: string;
    readonly loaded: readonly string[];
  };
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    readonly version: string;
  };
  expect(version).toBe(manifest.version);
  expect(names).toEqual(['BadInput', 'defineStrategy', 'openData', 'version']);
  expect(loaded.length).toBeGreaterThan(5);
  expect(
    loaded.filter((url) =>
      /src\/(?:app\/(?!package|process\/package)|exchange|venues|sim|research|operate)|node_modules/.test(
        url,
      ),
    ),
  ).toEqual([]);
});
