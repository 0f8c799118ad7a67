/** Every text enters the page by this: as text, never as markup, and only where it changed. */
export function write(element, text) {
  const shown = text === null || text === undefined ? '–' : String(text);
  if (element.textContent !== shown) element.textContent = shown;
}

export function mark(element, name, on) {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

export function make(name, className, text) {
  const element = document.createElement(name);
  if (className !== undefined) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

const formats = new Map();

/** A number of at most that many digits. A format is made once: to make one costs more than a state may. */
export function figure(value, digits = 7, useGrouping = true) {
  const key = `${digits} ${useGrouping}`;
  if (!formats.has(key))
    formats.set(key, new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits, useGrouping }));
  return formats.get(key).format(value);
}

/** A number with the digits that a person needs: eight in all, and of a small one at least four that are none of its zeros. What is left out stands in the title. */
export function cut(value) {
  return String(value ?? '–').replaceAll(/(?<!\d)(\d+)\.(\d+)/g, (all, whole, fraction) => {
    const zeros = whole === '0' ? /^0*/.exec(fraction)[0].length : 0;
    const digits = whole === '0' ? Math.max(8, zeros + 4) : Math.max(2, 8 - whole.length);
    return fraction.length <= digits ? all : `${whole}.${fraction.slice(0, digits)}`;
  });
}

/**
 * Keeps one child of `parent` per row, in the order of the rows. A child lives as long as the key of its row does, so that a
 * button keeps its focus and its meaning.
 */
export function keep(parent, rows, { keyOf, create, update }) {
  const kept = (parent.kept ??= new Map());
  const wanted = new Map(rows.map((row) => [keyOf(row), row]));
  for (const [key, child] of kept) {
    if (wanted.has(key)) continue;
    child.remove();
    kept.delete(key);
  }
  let before = null;
  for (const [key, row] of wanted) {
    let child = kept.get(key);
    if (child === undefined) {
      child = create(row);
      kept.set(key, child);
    }
    const place = before === null ? parent.firstChild : before.nextSibling;
    if (child !== place) parent.insertBefore(child, place);
    update(child, row);
    before = child;
  }
}

/** Rows up to which a table is drawn whole. Of a longer one those in sight of its box are drawn, and some around them. */
const rowsWhole = 120;
const rowsAround = 15;

/**
 * A table: `columns` are `{ title, value(row), kind, tone(row), button }`; `kind` is `word`, `text` or nothing for a number. A `button`
 * is `{ text(row), label(row), press(row, element), link, act }`; one with `act` asks the daemon for that.
 */
export function table(element, rows, look) {
  const { columns, keyOf, empty } = look;
  if (element.parts === undefined) begin(element, columns);
  const sorted = inOrder(rows, columns, element.sorting);
  const { caption, above, body, below } = element.parts;
  element.again = () => table(element, rows, look);
  caption.hidden = rows.length > 0;
  element.tHead.hidden = rows.length === 0;
  write(caption, empty);
  const { from, to, height } = inSight(element, rows.length);
  stretch(above, from * height);
  stretch(below, (rows.length - to) * height);
  element.ariaRowCount = from === 0 && to === rows.length ? null : rows.length;
  keep(body, sorted.slice(from, to), {
    keyOf,
    create: (row) => newRow(columns, row),
    update: (line, row) => {
      columns.forEach((column, at) => {
        if (column.button !== undefined) return;
        const cell = line.cells[at];
        const whole = column.value(row);
        const shown = column.kind === undefined ? cut(whole) : whole;
        write(cell, shown);
        const title = shown === whole || whole === null || whole === undefined ? '' : String(whole);
        if (cell.title !== title && (title !== String(shown) || cell.title !== '')) cell.title = title;
        const tone = column.tone?.(row);
        mark(cell, 'good', tone === 'good');
        mark(cell, 'bad', tone === 'bad');
        mark(cell, 'own', tone === 'own');
      });
    },
  });
}

function begin(element, columns) {
  const head = element.createTHead().insertRow();
  for (const { title, kind } of columns) {
    const cell = make('th', kind);
    cell.scope = 'col';
    if (title !== '') cell.append(sorter(element, head, title));
    head.append(cell);
  }
  const [above, body, below] = [element.createTBody(), element.createTBody(), element.createTBody()];
  const caption = make('caption');
  element.append(caption);
  for (const space of [above, below]) {
    space.ariaHidden = 'true';
    space.hidden = true;
    space.insertRow().insertCell().colSpan = columns.length;
  }
  element.parts = { caption, above, body, below };
  element.closest('.scroll')?.addEventListener('scroll', () => element.again());
}

/** Sorts by its column: upwards, downwards, then as the rows come. */
function sorter(element, head, title) {
  const button = make('button', 'sorter', title);
  button.type = 'button';
  button.addEventListener('click', () => {
    const at = button.parentElement.cellIndex;
    const { sorting } = element;
    element.sorting = sorting?.at !== at ? { at, up: true } : sorting.up ? { at, up: false } : undefined;
    for (const cell of head.cells)
      cell.ariaSort =
        cell.cellIndex !== element.sorting?.at ? null : element.sorting.up ? 'ascending' : 'descending';
    element.again();
  });
  return button;
}

function inOrder(rows, columns, sorting) {
  if (sorting === undefined) return rows;
  const { value, button } = columns[sorting.at];
  const keyed = rows.map((row) => [value?.(row) ?? button?.text(row) ?? '', row]);
  const direction = sorting.up ? 1 : -1;
  const compared = ([one], [other]) => {
    const difference = Number.parseFloat(one) - Number.parseFloat(other);
    return direction * (Number.isNaN(difference) ? String(one).localeCompare(String(other)) : difference);
  };
  return keyed.sort(compared).map(([, row]) => row);
}

/** From which row to which a table is drawn, and how high one of its rows is, in pixels. */
function inSight(element, count) {
  const box = element.closest('.scroll');
  if (count <= rowsWhole || box === null) return { from: 0, to: count, height: 0 };
  const height = element.parts.body.rows[0]?.offsetHeight || 28;
  const from = Math.min(count, Math.max(0, Math.floor(box.scrollTop / height) - rowsAround));
  const shown = Math.ceil((box.clientHeight || 400) / height) + 2 * rowsAround;
  return { from, to: Math.min(count, from + shown), height };
}

/** The room of rows that are not drawn. */
function stretch(space, height) {
  space.hidden = height === 0;
  const cell = space.rows[0].cells[0];
  const text = `${height}px`;
  if (cell.style.height !== text) cell.style.height = text;
}

function newRow(columns, row) {
  const line = make('tr');
  for (const { title, kind, button } of columns) {
    const cell = line.insertCell();
    cell.dataset.title = title;
    if (kind !== undefined) cell.className = kind;
    if (button === undefined) continue;
    const element = make('button', button.link ? 'link' : undefined, button.text(row));
    element.type = 'button';
    element.ariaLabel = button.label(row);
    if (button.act !== undefined) element.dataset.act = button.act;
    element.addEventListener('click', () => button.press(row, element));
    cell.append(element);
  }
  return line;
}

/** A bar from 0 to a limit: `{ key, name, used, limit, text }`. */
export function gauges(element, rows) {
  keep(element, rows, {
    keyOf: ({ key }) => key,
    create: () => {
      const box = make('div', 'gauge');
      const words = make('div');
      words.append(make('span'), make('b'));
      box.append(words, make('meter'));
      return box;
    },
    update: (box, { name, used, limit, text }) => {
      const [words, meter] = box.children;
      write(words.children[0], name);
      write(words.children[1], text);
      mark(words.children[1], 'bad', used >= limit);
      const most = limit > 0 ? limit : 1;
      Object.assign(meter, { max: most, high: most * 0.95, low: most * 0.75, optimum: 0, value: used });
      meter.ariaLabel = `${name}: ${text}`;
    },
  });
}
