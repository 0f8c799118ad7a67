// Runs in the head of each page, before it is drawn: the theme is right at once. It loads nothing from other hosts.
const root = document.documentElement;
const kept = {
  get: () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null;
    }
  },
  set: (theme) => {
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // A browser that keeps nothing shows what was chosen until the page is left.
    }
  },
};
const theme = kept.get();
if (theme !== null) root.dataset.theme = theme;

document.addEventListener('DOMContentLoaded', () => {
  const form = document.getElementById('search');
  const input = form.querySelector('input');
  const list = document.getElementById('found');
  const menu = document.getElementById('menu');
  const parts = document.getElementById('parts');

  document.getElementById('theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    kept.set(root.dataset.theme);
  });
  menu.addEventListener('click', () => {
    menu.setAttribute('aria-expanded', String(parts.classList.toggle('open')));
  });

  let loading;
  /** The index is a script and no request for data: pages that are opened from a disk may load that. */
  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root.dataset.root}docs/site/index.js`;
      script.addEventListener('load', () =>
        resolve(
          globalThis.siteIndex.map((section) => ({
            ...section,
            low: { page: low(section.page), heading: low(section.heading), text: low(section.text) },
          })),
        ),
      );
      script.addEventListener('error', reject);
      document.head.append(script);
    }));

  const search = async () => {
    const asked = words(input.value);
    if (asked.length === 0) {
      list.hidden = true;
      return;
    }
    const sections = await load();
    if (words(input.value).join(' ') !== asked.join(' ')) return;
    const found = sections
      .map((section) => ({ section, score: scoreOf(section, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12);
    list.replaceChildren(
      ...(found.length === 0 ? [nothing(input.value)] : found.map(({ section }) => row(section, asked))),
    );
    list.hidden = false;
  };

  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void search());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      list.hidden = true;
      input.blur();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops = [input, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
    stops[(at + stops.length) % stops.length]?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target) || event.target.closest('#found a')) list.hidden = true;
  });

  function row(section, asked) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root.dataset.root + section.url;
    const title = document.createElement('b');
    title.append(...marked(section.page, asked));
    link.append(title);
    if (section.heading !== section.page) link.append(' › ', ...marked(section.heading, asked));
    const small = document.createElement('small');
    small.append(...marked(passage(section, asked), asked));
    link.append(small);
    item.append(link);
    return item;
  }

  function nothing(text) {
    const item = document.createElement('li');
    item.className = 'none';
    item.textContent = `No page has all of: ${text}`;
    return item;
  }
});

function low(text) {
  return text.toLowerCase();
}

function words(text) {
  return low(text).split(/\s+/).filter(Boolean).slice(0, 8);
}

/** 0 where a word is nowhere in the section; a word of the title counts most, and one that begins there more than one within. */
function scoreOf({ low: { page, heading, text } }, asked) {
  let score = 0;
  for (const word of asked) {
    const isStart = (where) => new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}`, 'u').test(where);
    if (page.includes(word)) score += isStart(page) ? 12 : 4;
    if (heading.includes(word)) score += isStart(heading) ? 20 : 8;
    const count = text.split(word).length - 1;
    if (count > 0) score += 1 + Math.min(4, count) + (isStart(text) ? 1 : 0);
    else if (!page.includes(word) && !heading.includes(word)) return 0;
  }
  return score;
}

function passage({ text, low }, asked) {
  const at = Math.max(0, Math.min(...asked.map((word) => low.text.indexOf(word)).filter((one) => one >= 0)));
  const from = Number.isFinite(at) ? Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40))) : 0;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 160)}`;
}

function marked(text, asked) {
  return text.split(new RegExp(`(${asked.map(escaped).join('|')})`, 'i')).map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
