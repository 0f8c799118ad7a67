import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The release workflow runs this with the tag: `node .github/release-text.ts v0.1.0` prints the section of CHANGELOG.md.

export interface Section {
  /** Without the parentheses: a version, or `Unreleased`. */
  readonly name: string;
  /** `YYYY-MM-DD`; `undefined` where the heading has none. */
  readonly date: string | undefined;
  readonly text: string;
}

/** The sections of a changelog in its order, each with what stands below its heading. */
export function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const heading = section.slice(0, end);
      const [, name = heading, date] = /^(.*?) \((\d{4}-\d{2}-\d{2})\)$/.exec(heading) ?? [];
      return { name, date, text: section.slice(end + 1).trim() };
    });
}

/** The text of the release that `tag` names. Throws where the tag is not that of `version`, or no dated section tells of it. */
export function releaseText(changelog: string, tag: string, version: string): string {
  if (tag !== `v${version}`) throw new Error(`expected the tag v${version} of package.json, found ${tag}`);
  const section = sectionsOf(changelog).find(({ name }) => name === version);
  if (section?.date === undefined || section.text === '')
    throw new Error(`expected a section "## ${version} (YYYY-MM-DD)" with text in CHANGELOG.md`);
  return section.text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  process.stdout.write(`${releaseText(read('CHANGELOG.md'), process.argv[2] ?? '', version)}\n`);
}
