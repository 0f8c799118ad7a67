const span = (letter: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

/** Ids that every table must have: those of the catalogue of faults, section by section. */
export const catalogueIds: readonly string[] = [
  ...span('R', 7),
  ...span('I', 27),
  ...span('N', 15),
  ...span('W', 15),
  ...span('X', 35),
  ...span('P', 9),
  ...span('D', 9),
  ...span('C', 7),
  ...span('S', 12),
  ...span('O', 10),
  ...span('M', 7),
  ...span('E', 9),
  ...span('Q', 18),
  ...span('K', 25),
  ...span('B', 5),
  ...span('L', 7),
];

/** Ids that a text of the catalogue has: those of its tables, and the numbers of its rules, controls and loads. */
export function idsIn(catalogue: string): string[] {
  const part = (number: number) =>
    catalogue.split(new RegExp(`^## ${number}\\. `, 'm'))[1]?.split(/^## /m)[0] ?? '';
  const numbers = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, number]) => number);
  return [
    ...[...catalogue.matchAll(/^\|([A-Z]\d+)\|/gm)].map(([, id = '']) => id),
    ...numbers(part(1), /^(\d+)\. \*\*/gm).map((number) => `R${number}`),
    ...numbers(part(6), /(?:^| )(\d+)\. (?=[A-Z])/gm).map((number) => `K${number}`),
    ...part(8)
      .split('\n')
      .filter((line) => /^\|(?!Run\||-)/.test(line))
      .map((_, index) => `L${index + 1}`),
  ];
}
