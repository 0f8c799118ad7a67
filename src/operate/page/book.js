import { cut, figure, keep, make, mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);
const levelsShown = 10;
const plain = (value) => figure(value, 7, false);

/** Steps by which levels may be put together: the smallest distance of two prices, and some times that. */
const steps = [1, 2, 5, 10, 50, 100];

/**
 * Both sides, asks above bids with the spread between them: bars of depth, and own orders at their level. Levels stand together by the
 * chosen number of ticks.
 */
export function showBook({ book, orders }) {
  const step = Number(byId('ticks').value || 1);
  const digits = (book?.tick.split('.')[1] ?? '').length;
  const tick = Number(book?.tick ?? 1);
  const own = orders.filter((order) => order.symbol === book?.symbol && order.price !== null);
  const asks = grouped({ which: 'sell', levels: book?.asks ?? [], own, tick, step, digits });
  const bids = grouped({ which: 'buy', levels: book?.bids ?? [], own, tick, step, digits });
  const most = Math.max(0, ...[...asks, ...bids].map(({ total }) => total));
  const rows = [...asks.reverse(), ...spread(book), ...bids];
  byId('book-empty').hidden = rows.length > 0;
  keep(bodyOf(byId('book')), rows, {
    keyOf: ({ key }) => key,
    create: newLevel,
    update: (line, row) => updateLevel(line, row, most),
  });
}

/** The best levels of one side, each with the sum of the quantities from the best one to it. */
function grouped({ which, levels, own, tick, step, digits }) {
  const sums = new Map();
  // A bid stands at the price below, an ask at the one above: none looks better than it is.
  const place = (level) => {
    const ticks = Math.round(Number(level) / tick);
    const at = which === 'buy' ? Math.floor(ticks / step) : Math.ceil(ticks / step);
    return (at * step * tick).toFixed(digits);
  };
  for (const [price, quantity] of levels) {
    const at = place(price);
    sums.set(at, (sums.get(at) ?? 0) + Number(quantity));
    if (sums.size > levelsShown) break;
  }
  const mine = new Map();
  for (const { side, price, quantity, executed } of own)
    if (side === which)
      mine.set(place(price), (mine.get(place(price)) ?? 0) + Number(quantity) - Number(executed));
  let total = 0;
  return [...sums].slice(0, levelsShown).map(([price, quantity]) => {
    total += quantity;
    return { key: `${which} ${price}`, which, price, quantity, total, own: mine.get(price) };
  });
}

function spread(book) {
  if (book === undefined || book.spread === null) return [];
  return [{ key: 'spread', text: `spread ${book.spread}, ${book.spreadBp.toFixed(1)} bp` }];
}

function bodyOf(table) {
  return table.tBodies[0] ?? table.createTBody();
}

function newLevel({ text }) {
  const line = make('tr', text === undefined ? undefined : 'spread');
  const count = text === undefined ? 3 : 1;
  for (let at = 0; at < count; at += 1) line.insertCell();
  if (text !== undefined) line.cells[0].colSpan = 3;
  return line;
}

function updateLevel(line, { text, which, price, quantity, total, own }, most) {
  if (text !== undefined) return write(line.cells[0], text);
  line.className = which;
  const depth = `${most === 0 ? 0 : Math.round((total / most) * 100)}%`;
  if (line.style.getPropertyValue('--depth') !== depth) line.style.setProperty('--depth', depth);
  write(line.cells[0], price);
  write(line.cells[1], cut(plain(quantity)));
  write(line.cells[2], own === undefined ? '' : plain(own));
  mark(line.cells[2], 'own', own !== undefined);
}

/** Fills the choice of ticks. */
export function beginBook(changed) {
  for (const step of steps)
    byId('ticks').append(new Option(step === 1 ? '1 tick' : `${step} ticks`, String(step)));
  byId('ticks').addEventListener('change', changed);
}
