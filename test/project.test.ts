import { globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { releaseText, sectionsOf } from '../.github/release-text.ts';
import { linksOf, pagesOf, targetOf } from '../docs/site/pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const changelog = read('CHANGELOG.md');
const { version, files, scripts } = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
};

describe('versions', () => {
  test('the version of the package has a section with its date, below what is unreleased', () => {
    const sections = sectionsOf(changelog);
    const releases = sections.slice(1);
    expect(sections[0]).toMatchObject({ name: 'Unreleased', date: undefined });
    expect(releases.map(({ name }) => name)).toContain(version);
    expect(releases.map(({ name }) => name)).toEqual(
      releases.map(({ name }) => name).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })),
    );
    expect(releases.map(({ date }) => date)).not.toContain(undefined);
    for (const { text } of sections)
      for (const [, part] of text.matchAll(/^### (.*)$/gm))
        expect(['Added', 'Changed', 'Fixed']).toContain(part);
  });

  test('the lock and every page that names the package have its version', () => {
    const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': unknown } };
    expect(lock).toMatchObject({ version, packages: { '': { version } } });
    const named = globSync(['*.md', 'docs/*.md', '.github/**/*.md'], { cwd: root })
      .filter((path) => path !== 'CHANGELOG.md')
      .flatMap((path) =>
        [...read(path).matchAll(/\bgodwit[- ]v?(\d+\.\d+\.\d+)/g)].map(([, found]) => found),
      );
    expect(new Set(named)).toEqual(new Set([version]));
  });

  test('the text of a release is the section of its tag, and a tag of another version is refused', () => {
    expect(releaseText(changelog, `v${version}`, version)).toMatch(/^### Added$/m);
    expect(
      releaseText(
        '# C\n\n## 0.2.0 (2027-01-02)\n\nNew.\n\n## 0.1.0 (2026-01-02)\n\nOld.\n',
        'v0.1.0',
        '0.1.0',
      ),
    ).toBe('Old.');
    expect(() => releaseText(changelog, 'v9.9.9', version)).toThrow(`expected the tag v${version}`);
    expect(() => releaseText('## 0.1.0\n\nNo date.\n', 'v0.1.0', '0.1.0')).toThrow('"## 0.1.0 (YYYY-MM-DD)"');
    expect(() => releaseText('## 0.1.0 (2026-01-02)\n', 'v0.1.0', '0.1.0')).toThrow('with text');
  });
});

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>
  >;
}

describe('the workflows of the forge', () => {
  const texts = globSync('.github/workflows/*.yml', { cwd: root }).map((path) => ({
    path,
    text: read(path),
  }));
  const workflowOf = (name: string): Workflow => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
  const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

  test('pin their actions, hold no secret, read only by default and end in time', () => {
    expect(texts.map(({ path }) => path.split('/').at(-1))).toEqual(['checks.yml', 'release.yml']);
    for (const { text } of texts) {
      const workflow = parse(text) as Workflow;
      expect(text).not.toContain('secrets.');
      expect(workflow.permissions).toEqual({ contents: 'read' });
      for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
      const lines = text.split('\n').filter((line) => line.includes('uses:'));
      expect(lines.length).toBe(stepsOf(workflow).filter(({ uses }) => uses !== undefined).length);
      for (const line of lines) expect(line).toMatch(/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('run what the project has, and put nothing of a request into a shell', () => {
    for (const { text } of texts)
      for (const { run = '' } of stepsOf(parse(text) as Workflow)) {
        expect(run).not.toContain('${{');
        for (const [, script = ''] of run.matchAll(/npm run ([\w:]+)/g))
          expect(scripts).toHaveProperty([script]);
      }
  });

  test('a push and a pull request run .ci/run and build the site', () => {
    const { on, jobs } = workflowOf('checks');
    expect(Object.keys(on)).toEqual(['push', 'pull_request']);
    expect(jobs['checks']?.steps.at(-1)?.run).toBe('.ci/run');
    expect(jobs['site']?.steps.map(({ run }) => run)).toContain('npm run site');
  });

  test('a tag makes a release after the checks, with the package, its provenance and its text', () => {
    const { on, jobs } = workflowOf('release');
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    const steps = (jobs['package']?.steps ?? []).filter(({ name }) => name !== undefined);
    expect(steps.map(({ name }) => name)).toEqual([
      'release text',
      'checks',
      'site',
      'package',
      'provenance',
      'release',
    ]);
    const runOf = (wanted: string): string => steps.find(({ name }) => name === wanted)?.run ?? '';
    expect(runOf('release text')).toContain('node .github/release-text.ts');
    expect(runOf('checks')).toBe('.ci/run');
    expect(runOf('package')).toBe('npm pack');
    expect(steps.find(({ name }) => name === 'provenance')?.uses).toMatch(
      /^actions\/attest-build-provenance@/,
    );
    expect(runOf('release')).toMatch(/gh release create .*godwit-\*\.tgz .*--notes-file/);
  });
});

test('the forms for issues are whole, and name commands that exist', () => {
  interface Form {
    readonly name: string;
    readonly description: string;
    readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
  }
  const forms = globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd: root });
  expect(forms.length).toBe(2);
  for (const path of forms) {
    const { name, description, body } = parse(read(path)) as Form;
    expect([name, description]).not.toContain(undefined);
    const fields = body.filter(({ type }) => type !== 'markdown');
    for (const { id, attributes } of fields)
      expect([id, attributes]).toEqual([
        expect.any(String),
        expect.objectContaining({ label: expect.any(String) as string }),
      ]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  }
});

describe('the package', () => {
  /** npm takes these files whatever `files` says. */
  const always = ['package.json', 'README.md', 'LICENSE'];
  const isShipped = (path: string): boolean =>
    [...always, ...files].some(
      (entry) => path === entry || path.startsWith(`${entry}/`) || matchesGlob(path, entry),
    );

  test('carries the changelog, and every page that a message, a help text, a comment or a file of it names', () => {
    expect(isShipped('CHANGELOG.md')).toBe(true);
    const sources = globSync(['{src,bin,strategies}/**/*.{ts,js,md}', 'config/**/*.*'], { cwd: root });
    const named = new Set(
      sources.flatMap((path) =>
        [...read(path).matchAll(/\bdocs\/[\w.-]+\.(?:md|json)\b/g)].map(([page]) => page),
      ),
    );
    expect(named.size).toBeGreaterThan(10);
    expect(
      [...named].filter((page) => !isShipped(page) || globSync(page, { cwd: root }).length === 0),
    ).toEqual([]);
  });

  test('links of its pages lead to what it carries, but for pages about work on a checkout', () => {
    const checkout = [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CODE_OF_CONDUCT.md',
      'test/',
      'strategies/',
      'examples/',
    ];
    const missing = pagesOf(root)
      .filter(({ path }) => isShipped(path))
      .flatMap(({ path, text }) =>
        linksOf(text).flatMap((link) => {
          const target = targetOf(path, link)?.path;
          const isThere = target === undefined || isShipped(target);
          return isThere || checkout.some((start) => target.startsWith(start)) ? [] : [`${path}: ${link}`];
        }),
      );
    expect(missing).toEqual([]);
  });
});

test('README is one screen: two sentences, three pictures, two commands, five minutes, three ways in, eight peers, the map', () => {
  const readme = read('README.md');
  const lines = readme.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(80);
  const [first = '', desk = '', others = '', commands = ''] = readme.split('\n\n').slice(1);
  expect(first.split(/[.:]\s+(?=[A-Z])/).length).toBe(2);
  const picturesOf = (text: string): string[] =>
    [...text.matchAll(/!\[[^\]]{20,}\]\((docs\/\w+\.webp)\)/g)].map(([, path = '']) => path);
  expect([picturesOf(desk), picturesOf(others)]).toEqual([
    ['docs/dashboard.webp'],
    ['docs/telephone.webp', 'docs/report.webp'],
  ]);
  // Who reads it may be on a telephone.
  for (const path of [...picturesOf(desk), ...picturesOf(others)])
    expect([path, statSync(join(root, path)).size < 150_000]).toEqual([path, true]);
  expect(commands).toBe('```\nnpm ci && npm start\nnpm ci && npm test\n```');
  const parts = [...readme.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(parts).toEqual(['Five minutes', 'Three ways in', 'How it compares', 'Map']);
  const rowsOf = (heading: string): string[] =>
    [...(readme.split(`## ${heading}\n`)[1] ?? '').split('\n## ')[0]!.matchAll(/^\| (?!-)(.*) \|$/gm)]
      .map(([, row = '']) => row)
      .slice(1);
  expect(rowsOf('Three ways in').map((row) => /\*\*(\w+)\*\*/.exec(row)?.[1])).toEqual([
    'write',
    'research',
    'operate',
  ]);
  expect(rowsOf('How it compares').length).toBe(8);
});

test('a figure of README about a peer is one that docs/performance.md has', () => {
  const measured = [...read('docs/performance.md').matchAll(/^\|.*\(([^)]+)\) \| ([\d.]+) \|/gm)].map(
    ([, peer = '', ratio = '']) => ({
      peer: peer.split(' ')[0]?.toLowerCase().replace('.pro', '') ?? '',
      ratio: Number(ratio),
    }),
  );
  const said = [...read('README.md').matchAll(/^\| \[?([\w.]+).* \| ([\d.]+)(?: to ([\d.]+))? times/gm)];
  expect(said.length).toBe(5);
  for (const [, peer = '', low = '', high = low] of said) {
    const ratios = measured.filter((row) => row.peer === peer.toLowerCase()).map(({ ratio }) => ratio);
    const shown = (ratio: number, like: string): number =>
      Number(ratio.toFixed(like.split('.')[1]?.length ?? 0));
    expect([peer, ...ratios.map((ratio) => shown(ratio, low))]).toContain(Number(low));
    expect([peer, ...ratios.map((ratio) => shown(ratio, high))]).toContain(Number(high));
  }
});
