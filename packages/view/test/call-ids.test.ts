// Tool-call ids on the wire: in form, unique, paired, and the same in every request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWireId, withWireIds, repairView } from '../src/view-for-model.ts';
import { toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { ViewMessage } from '../src/view-for-model.ts';
import { assistant, toolResult } from '../../../test/support/model-calls.ts';

const form = { characters: 'a-zA-Z0-9_-', maxLength: 64 };
const call = (callId: string) => ({ type: 'tool_call' as const, callId, name: 'tool', arguments: '{}' });

describe('[MSG-09] the form', () => {
  test('[MSG-09a] an id that fits stays', () => {
    expect(toWireId('toolu_01-AB', form)).toBe('toolu_01-AB');
  });

  test('[MSG-09a] any other becomes one that fits, always the same, and no other one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (id) => {
        const wireId = toWireId(id, form);
        expect(wireId).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(toWireId(id, form)).toBe(wireId);
      }),
    );
    expect(toWireId('functions.grep:0', form)).not.toBe(toWireId('functions.grep_0', form));
    const long = 'x'.repeat(80);
    expect(toWireId(`${long}1`, form)).not.toBe(toWireId(`${long}2`, form));
  });
});

describe('[MODEL-06] the ids of servers that are strict, and of those that hide something in them', () => {
  const nine = { characters: 'a-zA-Z0-9', maxLength: 9, isExact: true as const };
  const turn = (ids: string[], model = { provider: 'house', id: 'big' }): ViewMessage[] => [
    assistant(ids.map(call), { model }),
    ...ids.map((id, index) => toolResult(id, `${index}`)),
  ];

  test('[MODEL-06a] any ids become nine letters and digits: unique, paired, the same in every request', () => {
    const anyIds = fc.array(fc.constantFrom('call_PTLP8xhu3uwZk4l3nlnrrJha', '', 'a1B2c3D4e', 'call_0'), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(anyIds, { maxLength: 5 }), (turns) => {
        const view = repairView(turns.flatMap((ids) => [userMessage('go'), ...turn(ids)]));
        const wire = withWireIds(view, nine);
        const ids = pairs(wire).map(([id]) => id);
        for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
        expect(new Set(ids).size).toBe(ids.length);
        expect(pairs(wire).map(([, text]) => text)).toEqual(pairs(view).map(([, text]) => text));
        const cut = Math.max(
          0,
          view.findLastIndex(({ role }) => role === 'user'),
        );
        expect(wire.slice(0, cut)).toEqual(withWireIds(view.slice(0, cut), nine));
      }),
    );
    expect(withWireIds(turn(['a1B2c3D4e']), nine)).toMatchObject([{}, { callId: 'a1B2c3D4e' }]);
  });

  test('[MODEL-06b] a model gets its own ids back as they are, if need be made unique; another model gets its form', () => {
    const long = `call_1__thought__${'Eq+/='.repeat(30)}`;
    const maker = { provider: 'house', id: 'big' };
    const own = withWireIds([...turn([long]), ...turn([long])], { ...form, maker });
    expect(pairs(own)[0]?.[0]).toBe(long);
    expect(new Set(pairs(own).map(([id]) => id)).size).toBe(2);
    const other = withWireIds(turn([long], { provider: 'house', id: 'small' }), { ...form, maker });
    expect(pairs(other)[0]?.[0]).toMatch(/^[\w-]{1,64}$/);
  });
});

describe('[MSG-09] [FAULT-63] in a view', () => {
  const turn = (text: string, ...ids: string[]): ViewMessage[] => [
    assistant(ids.map(call)),
    ...ids.map((id, index) => toolResult(id, `${text} ${index}`)),
  ];

  test('[MSG-09b] [FAULT-63] ids that a model repeats, in one message or in later ones, become unique, results with them', () => {
    const view = withWireIds([...turn('first', 'call_0', 'call_0'), ...turn('second', 'call_0')], form);
    expect(pairs(view)).toEqual([
      ['call_0', 'first 0'],
      ['call_0_2', 'first 1'],
      ['call_0_3', 'second 0'],
    ]);
  });

  test('[MSG-09a] foreign ids are rewritten equally on calls and results', () => {
    const view = withWireIds(turn('out', 'functions.grep:0'), form);
    const [id] = toolCallsOf(assistant(view[0]?.role === 'assistant' ? view[0].content : [])).map(
      ({ callId }) => callId,
    );
    expect(id).toMatch(/^functions_grep_0_[0-9a-f]{8}$/);
    expect(view[1]).toMatchObject({ callId: id });
  });

  test('[MSG-09ab] any view: unique, paired, and a longer view does not change what was sent', () => {
    const anyTurn = fc.array(fc.constantFrom('call_0', 'a b', '', 'x'.repeat(70)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 6 }), (turns) => {
        const messages = turns.flatMap((ids, index) => [userMessage('go'), ...turn(`turn ${index}`, ...ids)]);
        const view = repairView(messages);
        const wire = withWireIds(view, form);
        const ids = pairs(wire).map(([id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(pairs(wire).map(([, text]) => text)).toEqual(pairs(view).map(([, text]) => text));
        const cut = view.findLastIndex((message) => message.role === 'user');
        expect(wire.slice(0, Math.max(0, cut))).toEqual(withWireIds(view.slice(0, Math.max(0, cut)), form));
      }),
    );
  });
});

/** Each call's id with the text of the result that the wire pairs with it. */
function pairs(view: ViewMessage[]): [string, string][] {
  return view.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    return toolCallsOf(message).map(({ callId }, order): [string, string] => {
      const result = view[index + 1 + order];
      expect(result).toMatchObject({ role: 'tool_result', callId });
      const [part] = result?.content ?? [];
      return [callId, part?.type === 'text' ? part.text : ''];
    });
  });
}
