import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { isolated, orderOf, perpetual, positionOf, Scene } from './support/scene.ts';

describe('a daemon that is gone', () => {
  test('leaves no own order that can raise exposure: its purchases go, its sales and orders of others stay', async () => {
    const scene = new Scene();
    scene.venue.live = [
      orderOf({ id: 'gw-run1-mm-buy01' }),
      orderOf({ id: 'gw-run1-mm-sell1', side: 'sell' }),
      orderOf({ id: 'hand-made-order' }),
      orderOf({ id: 'gx-run1-mm-buy01' }),
    ];
    await scene.pass(seconds(1));
    expect(scene.venue.sent).toEqual([]);
    scene.kill();
    await scene.pass(millis(300));
    expect(scene.liveIds).toEqual(['gw-run1-mm-sell1', 'hand-made-order', 'gx-run1-mm-buy01']);
    await scene.pass(millis(300));
    expect(scene.state).toMatchObject({
      stage: 'acts',
      acts: [{ cause: 'gone', canceled: 1, kept: 1, unresolved: [], done: false }],
    });
    expect(scene.said).toContain(
      'Acting, because the daemon, process 70, is gone: orders of ours that can raise exposure are cancelled.',
    );
  });

  test('leaves nothing of ours where the configuration says all', async () => {
    const scene = new Scene({ terms: { cancel: 'all' } });
    scene.venue.live = [orderOf(), orderOf({ side: 'sell' }), orderOf({ id: 'hand-made-order' })];
    scene.kill();
    await scene.pass(millis(500));
    expect(scene.liveIds).toEqual(['hand-made-order']);
  });

  test('leaves alone what another Godwit has under the same prefix', async () => {
    const scene = new Scene({ terms: { cancel: 'all', others: () => ['gw-mb3x1k2z-'] } });
    const theirs = orderOf({ id: 'gw-mb3x1k2z-mm-00001' });
    scene.venue.live = [orderOf(), theirs];
    scene.kill();
    await scene.pass(millis(500));
    expect(scene.liveIds).toEqual([theirs.clientOrderId]);
  });

  test('keeps exits of margin accounts up to the position, and all that the venue lets only reduce', async () => {
    const scene = new Scene();
    const margin = isolated;
    scene.venue.positions = [positionOf('5'), positionOf('-3', perpetual)];
    scene.venue.live = [
      orderOf({ id: 'gw-run1-mm-exit1', side: 'sell', margin }),
      orderOf({ id: 'gw-run1-mm-more1', side: 'sell', margin }),
      orderOf({ id: 'gw-run1-mm-open1', side: 'buy', margin }),
      orderOf({ id: 'gw-run1-mm-bound', side: 'buy', margin: { ...margin, reduceOnly: true } }),
      orderOf({ id: 'gw-run1-mm-short', side: 'sell', margin, instrument: perpetual }),
      orderOf({ id: 'gw-run1-mm-cover', side: 'buy', margin, instrument: perpetual, quantity: 3 as never }),
    ];
    scene.kill();
    await scene.pass(millis(500));
    expect(scene.liveIds).toEqual(['gw-run1-mm-exit1', 'gw-run1-mm-bound', 'gw-run1-mm-cover']);
  });

  test('has an order cancelled that arrives late, and the sentinel ends once nothing can arrive any more', async () => {
    const scene = new Scene();
    scene.kill();
    await scene.pass(seconds(24));
    scene.venue.live = [orderOf({ id: 'gw-run1-mm-late1' })];
    await scene.pass(seconds(2));
    expect(scene.liveIds).toEqual([]);
    expect(scene.ended).toBeUndefined();
    await scene.pass(seconds(75));
    expect(scene.ended).toBe('nothing is left of the daemon that is gone');
    expect(scene.state).toMatchObject({ stage: 'ended', acts: [{ canceled: 1, done: true }] });
  });

  test('has its exits looked after while they are live: one that a closed position turns into an opening goes', async () => {
    const scene = new Scene();
    scene.venue.positions = [positionOf('5')];
    scene.venue.live = [orderOf({ side: 'sell', margin: isolated })];
    scene.kill();
    await scene.pass(seconds(100));
    expect(scene.state).toMatchObject({ stage: 'done', waitsFor: 'the end of the orders that stay (1)' });
    scene.venue.positions = [];
    await scene.pass(seconds(35));
    expect(scene.liveIds).toEqual([]);
    expect(scene.ended).toBe('nothing is left of the daemon that is gone');
  });

  test('leaves orders of which the venue takes no cancel: they are tried again and named', async () => {
    const scene = new Scene();
    scene.venue.live = [orderOf({ id: 'gw-run1-mm-stuck' })];
    scene.venue.answers = ({ kind }) => (kind === 'read' ? 'acknowledged' : 'refused');
    scene.kill();
    await scene.pass(seconds(3));
    expect(scene.state?.acts[0]).toMatchObject({ canceled: 0, unresolved: ['gw-run1-mm-stuck'] });
    expect(scene.state?.acts[0]?.clearedAt).toBeUndefined();
    scene.venue.answers = () => 'acknowledged';
    await scene.pass(seconds(1));
    expect(scene.state?.acts[0]).toMatchObject({ canceled: 1, unresolved: [] });
  });

  test('is acted for once the venue can be reached, and until then the trouble is said', async () => {
    const scene = new Scene();
    scene.venue.live = [orderOf()];
    scene.isOpen = false;
    scene.kill();
    await scene.pass(seconds(30));
    expect(scene.state).toMatchObject({ stage: 'acts', trouble: 'no route to the venue' });
    scene.isOpen = true;
    await scene.pass(seconds(6));
    expect(scene.liveIds).toEqual([]);
    expect(scene.state?.trouble).toBe('');
  });

  test('has a lost answer to a list asked again: spot goes meanwhile, and exits wait for the positions', async () => {
    const scene = new Scene();
    scene.venue.positions = [positionOf('5')];
    scene.venue.live = [
      orderOf({ id: 'gw-run1-mm-spot1' }),
      orderOf({ id: 'gw-run1-mm-exit1', side: 'sell', margin: isolated }),
    ];
    scene.venue.answers = (command) =>
      command.kind === 'read' && command.what.of === 'marginAccounts' ? 'unanswered' : 'acknowledged';
    scene.kill();
    await scene.pass(seconds(1));
    expect(scene.liveIds).toEqual(['gw-run1-mm-exit1']);
    await scene.pass(seconds(2));
    expect(scene.liveIds).toEqual([]);
  });

  test('has many orders of one symbol cancelled in one request only where all that are live there are to go', async () => {
    const scene = new Scene({ terms: { togetherFrom: 3 } });
    const margin = isolated;
    scene.venue.live = [
      ...Array.from({ length: 4 }, () => orderOf({ instrument: perpetual, margin })),
      ...Array.from({ length: 4 }, () => orderOf()),
      orderOf({ id: 'hand-made-order' }),
    ];
    scene.kill();
    await scene.pass(millis(300));
    expect(scene.liveIds).toEqual(['hand-made-order']);
    const kinds = scene.venue.sent.map(({ kind }) => kind).filter((kind) => kind !== 'read');
    expect(kinds.toSorted()).toEqual([
      'cancelOrder',
      'cancelOrder',
      'cancelOrder',
      'cancelOrder',
      'cancelOrders',
    ]);
  });
});

describe('a daemon that is there', () => {
  test('is left alone by its clean end', async () => {
    const scene = new Scene();
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(1));
    scene.lease = { epoch: 7, pid: 70, mark: 'm', at: 0, ended: 'exit code 0' };
    scene.kill();
    await scene.pass(seconds(3));
    expect(scene.ended).toBe('the daemon has ended: exit code 0');
    expect(scene.venue.sent).toEqual([]);
  });

  test('has its orders cancelled while its event loop stands, and is left alone once it turns again', async () => {
    const scene = new Scene();
    scene.isBeating = false;
    scene.venue.live = [orderOf()];
    await scene.pass(millis(1_900));
    expect(scene.liveIds).toHaveLength(1);
    await scene.pass(millis(600));
    expect(scene.liveIds).toEqual([]);
    scene.isBeating = true;
    await scene.pass(millis(300));
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(10));
    expect(scene.liveIds).toHaveLength(1);
    expect(scene.state).toMatchObject({ stage: 'watches', acts: [{ cause: 'silent', canceled: 1 }] });
  });

  test('is not silent because the machine slept, and may stand longer while it starts', async () => {
    const scene = new Scene();
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(1));
    scene.isBeating = false;
    // Twelve hours in one step: the sentinel did not look either.
    await scene.pass(seconds(43_200), seconds(43_200));
    expect(scene.liveIds).toHaveLength(1);
    scene.isBeating = true;
    await scene.pass(seconds(1));
    scene.isBeating = false;
    scene.beat = { count: 9_999, phase: 'starts', pid: 70, at: 0, uptime: 0, run: 'r' };
    await scene.pass(seconds(30));
    expect(scene.liveIds).toHaveLength(1);
    await scene.pass(seconds(32));
    expect(scene.liveIds).toEqual([]);
  });

  test('has its orders cancelled by a kill file, for as long as that is there', async () => {
    const scene = new Scene();
    scene.venue.live = [orderOf()];
    scene.isKilled = true;
    await scene.pass(millis(400));
    expect(scene.liveIds).toEqual([]);
    expect(scene.state?.acts[0]).toMatchObject({ cause: 'killed', why: 'the kill file is there' });
    scene.isKilled = false;
    await scene.pass(millis(200));
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(3));
    expect(scene.liveIds).toHaveLength(1);
  });

  test('that takes the directory over ends the sentinel of the one before, between two cancels', async () => {
    const scene = new Scene();
    scene.venue.live = Array.from({ length: 40 }, () => orderOf());
    const { answers } = scene.venue;
    let cancels = 0;
    scene.venue.answers = (command) => {
      if (command.kind === 'cancelOrder') cancels += 1;
      // The new daemon takes the lease while cancels are under way.
      if (cancels === 1) scene.lease = { epoch: 8, pid: 80, mark: 'n', at: 0 };
      return answers(command);
    };
    scene.kill();
    await scene.pass(seconds(2));
    // The cancels that had left before end; none leaves after.
    expect(cancels).toBeLessThanOrEqual(16);
    expect(scene.venue.live.length).toBeGreaterThanOrEqual(24);
    expect(scene.ended).toBe('another daemon, process 80, has taken the run directory over');
    expect(scene.said.at(-2)).toContain('Orders that may be live: gw-run1-mm-');
  });

  test('in a directory that was removed has a sentinel no more', async () => {
    const scene = new Scene();
    await scene.pass(seconds(1));
    scene.lease = undefined;
    await scene.pass(seconds(2));
    expect(scene.ended).toBe('the lease of the run directory is gone');
  });
});

describe('a sentinel of its own', () => {
  test('waits for daemons, watches one after the other, and acts for each', async () => {
    const scene = new Scene({ isService: true });
    scene.lease = undefined;
    await scene.pass(seconds(3));
    expect(scene.state).toMatchObject({ stage: 'waits', startedBy: 'service' });
    scene.lease = { epoch: 3, pid: 30, mark: 'm', at: 0 };
    await scene.pass(seconds(1));
    expect(scene.state).toMatchObject({ stage: 'watches', epoch: 3 });
    scene.venue.live = [orderOf()];
    scene.kill();
    await scene.pass(millis(500));
    expect(scene.liveIds).toEqual([]);
    scene.lease = { epoch: 4, pid: 31, mark: 'm', at: 0 };
    scene.isRunning = true;
    scene.isBeating = true;
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(5));
    expect(scene.liveIds).toHaveLength(1);
    expect(scene.state).toMatchObject({ stage: 'watches', epoch: 4 });
    scene.lease = { ...scene.lease, ended: 'exit code 0' };
    scene.kill();
    await scene.pass(seconds(5));
    expect(scene.liveIds).toHaveLength(1);
    expect(scene.state?.stage).toBe('waits');
    scene.end();
    await scene.pass(seconds(1));
    expect(scene.ended).toBe('it was asked to end');
  });

  test('takes a daemon that it never saw for gone by its silence alone: it may run in another container', async () => {
    const scene = new Scene({ isService: true, isUnseen: true });
    scene.venue.live = [orderOf()];
    await scene.pass(seconds(10));
    expect(scene.liveIds).toHaveLength(1);
    scene.isBeating = false;
    await scene.pass(millis(2_600));
    expect(scene.liveIds).toEqual([]);
  });
});
