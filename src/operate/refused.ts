/** Something asked that cannot be answered: the status, a code and one sentence. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The body of an answer that refuses: JSON. */
export function refusedText({ code, message }: Refused): string {
  return JSON.stringify({ error: { code, message } });
}

/** Text that somebody typed, short, as it may stand in a sentence. */
export function shownText(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
