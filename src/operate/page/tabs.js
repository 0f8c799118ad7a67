import { keep, make, mark, write } from './tables.js';

const byId = (id) => document.getElementById(id);

/** Lists as tabs: one is shown, arrows and a press choose another. */
export class Tabs {
  chosen = 'positions';
  #changed;
  #cards = [];

  constructor(changed) {
    this.#changed = changed;
    byId('filter').addEventListener('input', changed);
    byId('tabs').addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const shown = this.#cards.filter(({ isShown }) => isShown);
      const at = shown.findIndex(({ name }) => name === this.chosen);
      this.choose(shown[(at + step + shown.length) % shown.length].name);
      byId(`${this.chosen}-title`).focus();
    });
  }

  /** Shows a list; `goes`: the page goes there, too. */
  choose(name, goes = false) {
    this.chosen = name;
    byId('filter').value = '';
    this.#show();
    byId(`${name}-title`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#changed();
    if (!goes) return;
    byId('tabs').scrollIntoView({ block: 'start' });
    byId(`${name}-title`)?.focus();
  }

  /** `cards` are `{ name, title, count, isShown }`; a list that is gone gives its place to the first one. */
  follow(cards) {
    this.#cards = cards;
    if (!cards.some(({ name, isShown }) => name === this.chosen && isShown))
      this.chosen = cards.find(({ isShown }) => isShown)?.name ?? this.chosen;
    this.#show();
  }

  #show() {
    keep(byId('tabs'), this.#cards, {
      keyOf: ({ name }) => name,
      create: ({ name }) => {
        const button = make('button');
        button.type = 'button';
        button.role = 'tab';
        button.id = `${name}-title`;
        button.append(make('span'), make('small'));
        button.addEventListener('click', () => this.choose(name));
        return button;
      },
      update: (button, { name, title, count, isShown }) => {
        const isChosen = name === this.chosen;
        button.hidden = !isShown;
        write(button.children[0], title);
        write(button.children[1], count > 0 ? `${count}` : '');
        mark(button, 'chosen', isChosen);
        const selected = String(isChosen);
        if (button.ariaSelected !== selected) {
          button.ariaSelected = selected;
          button.tabIndex = isChosen ? 0 : -1;
          if (isChosen) button.setAttribute('aria-controls', `${name}-section`);
          else button.removeAttribute('aria-controls');
        }
      },
    });
  }
}
