import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { releaseText, sectionsOf } from '../.github/release-text.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const changelog = read('CHANGELOG.md');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

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
