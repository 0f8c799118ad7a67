/** A control character: C0, DEL or C1. After one that is ESC stand, where it paints, the colours of our reports and logs. */
const controls = /(\p{Cc})(\[(?:[0-2]|3[0-7]|9[0-7])m)?/gu;

/**
 * A text as a terminal may have it. A symbol of a file, or a message of a venue, must not move the cursor, rename the window or hide what
 * stands before it: control characters other than line breaks and tabs are written as in JSON, so that a line of JSON stays what it is.
 * With `colour` our own colours pass.
 */
export function terminalText(text: string, colour: boolean): string {
  return text.replaceAll(controls, (found: string, one: string, painted: string | undefined) => {
    const isOurs = colour && one === '\u001B' && painted !== undefined;
    if (one === '\n' || one === '\t' || isOurs) return found;
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}${painted ?? ''}`;
  });
}
