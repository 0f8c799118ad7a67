const words: Readonly<Record<string, RegExp>> = {
  ts: /\b(?:import|export|default|from|const|let|return|if|else|for|of|new|async|await|function|type|interface|class|extends|implements|readonly|undefined|null|true|false|while|switch|case|throw|try|catch|this|in)\b/,
  python:
    /\b(?:import|from|as|def|return|if|else|elif|for|in|with|class|not|and|or|None|True|False|lambda|raise|try|except|while)\b/,
  yaml: /^\s*(?:- )?[\w.-]+(?=:)/m,
  json: /"[^"\n]*"(?=:)/,
};
const comments: Readonly<Record<string, RegExp>> = {
  ts: /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
  python: /#[^\n]*/,
  yaml: /(?<=^|\s)#[^\n]*/m,
  json: /(?!)/,
};
const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
const numbers = /\b\d[\d_]*(?:\.\d+)?\b/;
const shellComment = /(?<=^|\s{2,})#[^\n]*/gm;

/** Code as HTML with comments, words, texts and numbers marked; of a language that is not known, the comments of a shell. */
export function highlight(code: string, language: string): string {
  const word = words[language];
  const comment = comments[language];
  if (word === undefined || comment === undefined)
    return replaceMatches(code, shellComment, (match) => `<i class="c">${escape(match[0])}</i>`);
  const sources = [comment, ...(language === 'json' ? [word, strings] : [strings, word]), numbers];
  const kinds = language === 'json' ? 'cksn' : 'cskn';
  const all = new RegExp(sources.map(({ source }) => `(${source})`).join('|'), 'gm');
  return replaceMatches(code, all, (match) => {
    const at = match.slice(1).findIndex((found) => found !== undefined);
    return `<i class="${kinds[at] ?? ''}">${escape(match[0])}</i>`;
  });
}

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function replaceMatches(
  text: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): string {
  let html = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    html += escape(text.slice(end, match.index)) + replacement(match);
    end = match.index + match[0].length;
  }
  return html + escape(text.slice(end));
}
