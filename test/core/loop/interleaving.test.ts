// Everything may come at any moment and in any order: seeded sessions, with the invariants checked at every step.
// HOLDFAST_SEEDS=20000 plays more of them; a failing list of choices becomes a named test here, for ever.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UserMessage } from '@holdfast/vocabulary/messages';
import type { Session } from '../../../src/core/session/session.ts';
import type { Fact } from '../../../src/core/state/facts.ts';
import { playInterleaving } from '../../support/interleaving.ts';
import type { MemorySession } from '../../support/memory-session.ts';

const seeds = Number(process.env['HOLDFAST_SEEDS'] ?? 2_000);
const choices = fc.array(fc.nat({ max: 5_039 }), { minLength: 10, maxLength: 120, size: 'max' });

test(
  `[STATE-01b] [STATE-02ab] [STATE-13] [EVENT-03a] [MSG-02a] ${seeds} sessions with messages, stops and answers in any order`,
  { timeout: 60_000 + seeds * 20 },
  async () => {
    const happened = new Set<string>();
    const property = fc.asyncProperty(choices, async (list) => {
      for (const what of await playInterleaving(list)) happened.add(what);
    });
    await fc.assert(property, { numRuns: seeds, endOnFailure: false });
    // what never came was not tried
    expect([...happened]).toEqual(expect.arrayContaining(mustHappen));
  },
);

// oxfmt-ignore
const mustHappen = [
  'hand_over', 'continue', 'interrupt', 'queue_update', 'approval_requested', 'approval_resolved',
  'condense_start', 'condense_end', 'tool_execution_end', 'warning',
  ...[
    'completed',
    'aborted',
    'failed',
    'timed_out',
    'max_iterations',
    'loop_detected',
    'budget_exceeded',
  ].map((status) => `agent_end ${status}`),
];

/** A bug in a session of the play: the checks of the play must find it. */
const bugs: [title: string, spoil: (session: MemorySession) => void][] = [
  ['a message that is taken and lost', ({ inbox }) => onTake(inbox, () => [])],
  ['a message that is delivered twice', ({ inbox }) => onTake(inbox, (taken) => [...taken, ...taken])],
  [
    'a withdrawn message that is delivered all the same',
    ({ inbox }) => {
      inbox.cancel = () => true;
      inbox.clear = () => undefined;
    },
  ],
  [
    'a record that is changed later',
    (session) => {
      const { record } = session.session;
      session.session.record = (fact) => {
        record.call(session.session, fact);
        const first = session.state.log.records.at(-3);
        if (first?.role === 'user') first.content = [{ type: 'text', text: 'something else' }];
      };
    },
  ],
  [
    'an abort that ends nothing',
    ({ session }) => {
      session.abort = () => session.stopInFlight();
    },
  ],
  ['a turn that is not closed', ({ session }) => ignoring(session, 'turn_ended')],
  ['an event that is raised twice', ({ session }) => twice(session)],
];

test.each(bugs)('[STATE-13] the play finds %s', async (_, spoil) => {
  const property = fc.asyncProperty(choices, async (list) => void (await playInterleaving(list, spoil)));
  const found = await fc.check(property, {
    numRuns: 300,
    endOnFailure: true,
    interruptAfterTimeLimit: 20_000,
  });
  expect([found.failed, found.interrupted]).toEqual([true, false]);
});

function onTake(inbox: MemorySession['inbox'], change: (taken: UserMessage[]) => UserMessage[]): void {
  const take = inbox.take.bind(inbox);
  inbox.take = (...args) => change(take(...args));
}

function ignoring(session: Session, type: Fact['type']): void {
  const record = session.record.bind(session);
  session.record = (fact) => (fact.type === type ? undefined : record(fact));
}

function twice(session: Session): void {
  const push = session.events.push.bind(session.events);
  session.events.push = (event) => {
    const numbered = push(event);
    return event.type === 'turn_end' || event.type === 'agent_end' ? push(event) : numbered;
  };
}

test.each([
  // an overflow left its message open: message_start without message_end
  [
    'an overflow closes the message that it refuses',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4219, 0],
  ],
  // a reset took the view from under a run that was about to go on from it
  [
    'a run that goes on from the view comes before a reset',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 299, 0, 946, 427, 1537, 0, 1, 12],
  ],
  [
    'nothing is continued from a view that is being archived',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3326, 0, 0, 0, 0, 0, 0, 2083, 10, 5, 0, 1128],
  ],
  // an interrupting message that the last request does not take closed turn after turn
  [
    'the last request goes out, whatever waits',
    [0, 0, 0, 0, 0, 0, 0, 0, 70, 0, 0, 0, 0, 0, 1030, 0, 0, 0, 0, 0, 0, 10, 451, 0, 0, 0, 1434],
  ],
])('[STATE-02b] %s', async (_, list) => {
  await playInterleaving(list);
});
