import { BadInput } from '../../core/base/errors.ts';
import { hintOf } from '../../core/base/nearest.ts';

/** Figures by name; what is missing has no value. */
export type Figures = Readonly<Record<string, number | undefined>>;

/** A formula over figures. No value when a figure it needs has none, or when it comes to no number. */
export type Expression = (figures: Figures) => number | undefined;

const functions: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
  log: Math.log,
};

type Node = (figures: Figures) => number;

/** Reads a formula: numbers, names of figures, + - * / and brackets, min, max, abs, sqrt, log. Throws `BadInput`. */
export function readExpression(text: string, known: readonly string[]): Expression {
  const node = new Parser(text, known).whole();
  return (figures) => {
    const value = node(figures);
    return Number.isFinite(value) ? value : undefined;
  };
}

const depthMax = 50;

class Parser {
  readonly #text: string;
  readonly #known: readonly string[];
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string, known: readonly string[]) {
    this.#text = text;
    this.#known = known;
    this.#tokens = text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z_]\w*|\S/g) ?? [];
  }

  whole(): Node {
    const node = this.#sum();
    if (this.#at < this.#tokens.length) throw this.#wrong('an operator');
    return node;
  }

  #sum(): Node {
    let left = this.#product();
    while (this.#peek('+') || this.#peek('-')) {
      const before = left;
      const isPlus = this.#next() === '+';
      const right = this.#product();
      left = isPlus ? (of) => before(of) + right(of) : (of) => before(of) - right(of);
    }
    return left;
  }

  #product(): Node {
    let left = this.#factor();
    while (this.#peek('*') || this.#peek('/')) {
      const before = left;
      const isTimes = this.#next() === '*';
      const right = this.#factor();
      left = isTimes ? (of) => before(of) * right(of) : (of) => before(of) / right(of);
    }
    return left;
  }

  #factor(): Node {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new BadInput(`objective: expected at most ${depthMax} nested brackets`);
    try {
      return this.#atom();
    } finally {
      this.#depth -= 1;
    }
  }

  #atom(): Node {
    const token = this.#next();
    if (token === '-') {
      const inner = this.#factor();
      return (of) => -inner(of);
    }
    if (token === '(') return this.#closed(this.#sum());
    if (token !== undefined && /^\d/.test(token)) {
      const value = Number(token);
      return () => value;
    }
    if (token !== undefined && /^[A-Za-z_]/.test(token)) return this.#named(token);
    this.#at -= 1;
    throw this.#wrong('a number, a figure or a bracket');
  }

  #named(name: string): Node {
    const compute = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (compute !== undefined && this.#peek('(')) {
      this.#next();
      const values = [this.#sum()];
      while (this.#peek(',')) {
        this.#next();
        values.push(this.#sum());
      }
      return this.#closed((of) => compute(...values.map((value) => value(of))));
    }
    if (this.#known.includes(name)) return (of) => of[name] ?? Number.NaN;
    const hint = hintOf(name, this.#known);
    throw new BadInput(`objective: there is no figure ${JSON.stringify(name)}, ${hint}`);
  }

  #closed(node: Node): Node {
    if (this.#next() === ')') return node;
    this.#at -= 1;
    throw this.#wrong('a closing bracket');
  }

  #peek(token: string): boolean {
    return this.#tokens[this.#at] === token;
  }

  #next(): string | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  #wrong(expected: string): BadInput {
    const found = this.#tokens[this.#at];
    return new BadInput(
      `objective ${JSON.stringify(this.#text.slice(0, 80))}: expected ${expected}, found ${found ?? 'its end'}`,
    );
  }
}
