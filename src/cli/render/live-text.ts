// The model's text while it is being written: from the bus of this process piece by piece, or from the heartbeat
// once a second. Prints each character once, also when an attempt starts over. Pure but for `write`.
import type { LiveEvent } from '../../core/model/session-events.ts';
import { newText } from '../../core/base/words.ts';
import { toPlain } from './plain-text.ts';

export type LiveText = {
  /** A piece from the bus. */
  delta(event: LiveEvent): void;
  /** The newest part of the text, from the heartbeat; pieces between two of them may be skipped. */
  partial(partial: { turn: number; attempt: number; text: string }): void;
  /** Ends the open line; true when text was shown since the last call, so that it need not be printed again. */
  close(): boolean;
};

const margin = '  ';

export function createLiveText(write: (text: string) => void): LiveText {
  let shown = '';
  let key = '';

  function show(nextKey: string, text: string): void {
    const plain = toPlain(text);
    if (plain === '') return;
    if (shown !== '' && nextKey !== key) {
      write(`\n${margin}(again)\n${margin}`);
      shown = '';
    } else if (shown === '') write(margin);
    key = nextKey;
    write(plain.replaceAll('\n', `\n${margin}`));
    shown += plain;
  }

  return {
    delta(event) {
      if (event.type === 'delta' && event.delta.type === 'text')
        show(`${event.turn}/${event.attempt}`, event.delta.text);
    },
    partial({ turn, attempt, text }) {
      const nextKey = `${turn}/${attempt}`;
      show(nextKey, nextKey === key ? (newText(shown, toPlain(text)) ?? ` … ${text}`) : text);
    },
    close() {
      const open = shown !== '';
      if (open) write('\n');
      shown = '';
      key = '';
      return open;
    },
  };
}
