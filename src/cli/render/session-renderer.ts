// Shows a running session: one line for each event, and the model's text while it is being written. Prints each character
// of a reply once, even if an attempt starts over. Pure but for `write`.
import type { Heard, Origin } from '../../client.ts';
import type { AgentEvent } from '../../core/model/events.ts';
import type { MessageUpdate } from '../../core/model/session-events.ts';
import type { Output } from '../cli.ts';
import { withTyped } from '../command-line.ts';
import { createChildContexts, describeBegun, describeChildEvent } from './describe-child.ts';
import { type EventContext, type RenderPlace, describeEvent, modelTime } from './describe-event.ts';
import { toLine, toPlain } from './plain-text.ts';
import { newText } from '../../core/base/words.ts';

export type SessionRenderer = {
  show(heard: Heard): void;
  /** Prints a line that no event has: yellow, with the mark of a warning. */
  warn(line: string): void;
  /** Ends an open line. */
  close(): void;
};

export function createSessionRenderer(
  { colors, terminal }: Pick<Output, 'colors' | 'terminal'>,
  sessionId: string,
  place: RenderPlace & { write(text: string): void; ring(): void },
  now: () => number = Date.now,
): SessionRenderer {
  const { write } = place;
  const context: EventContext = { colors, sessionId, calls: new Map(), now, place };
  const contextOf = createChildContexts(context);
  const text = createLiveText(write);
  const print = (line: string | undefined): void => {
    if (line === undefined) return;
    text.interrupt();
    write(`${line}\n`);
  };
  const warn = (line: string): void => print(colors.yellow(`  ! ${line}`));

  function showEvent(event: AgentEvent & Partial<Origin>): void {
    if (event.type === 'subagent_start' || event.type === 'subagent_end')
      return print(describeBegun(event, context));
    if (event.sessionId !== undefined) return print(describeChildEvent(event, contextOf(event)));
    if (event.type === 'turn_start') text.close();
    const ownWords = event.type === 'message_end' && event.role === 'assistant';
    // its text was shown as it came
    if (!(ownWords && text.close(event.text))) print(describeEvent(event, context));
    const took =
      event.type === 'message_start' || event.type === 'message_end' ? modelTime(event, context) : undefined;
    if (took !== undefined) print(took);
    if (event.type === 'wait_escalated') place.ring();
  }

  function show(heard: Heard): void {
    switch (heard.type) {
      case 'message_update':
        // concurrent replies would be unreadable
        return terminal && heard.sessionId === undefined ? text.update(heard) : undefined;
      case 'tool_execution_update':
        return undefined;
      case 'gap': {
        const { fromSeq, toSeq, snapshot } = heard;
        const state = `now turn ${snapshot.turn}, ${snapshot.state}`;
        const of = heard.path === undefined ? '' : ` of ${toPlain(heard.path)}`;
        return print(colors.yellow(`  … events ${fromSeq} to ${toSeq}${of} are no longer kept; ${state}`));
      }
      case 'unanswered':
        return warn(`${toLine(withTyped(heard.message), 300)} Waiting.`);
      default:
        return showEvent(heard);
    }
  }
  return { show, warn, close: () => void text.close() };
}

const margin = '  │ ';

/** The text of the current reply: in one open line, or in more if other lines interrupt it. */
function createLiveText(write: (text: string) => void) {
  let shown = '';
  let isOpen = false;
  let attempt = 0;

  function add(piece: string): void {
    const plain = toPlain(piece);
    if (plain === '') return;
    if (!isOpen) write(margin);
    isOpen = true;
    write(plain.replaceAll('\n', `\n${margin}`));
    shown += plain;
  }

  function interrupt(): void {
    if (isOpen) write('\n');
    isOpen = false;
  }

  /** Heartbeats keep only the newest text: a reset without a new attempt means that some of it was missed. */
  function startOver(isRepeated: boolean): void {
    if (shown === '') return;
    if (!isRepeated) return add(' … ');
    interrupt();
    write('  (again)\n');
    shown = '';
  }

  return {
    /** Called before another line; the shown part of the reply is not repeated. */
    interrupt,
    update({ delta, attempt: current, seq }: MessageUpdate): void {
      if (delta.type === 'reset') startOver(current !== attempt || seq === 1);
      attempt = current;
      if (delta.type === 'text') add(delta.text);
    },
    /** Adds the rest of `whole` if its beginning was shown, and returns true then. */
    close(whole?: string): boolean {
      if (shown === '') return false;
      if (whole !== undefined) add(newText(shown, toPlain(whole)) ?? '');
      interrupt();
      shown = '';
      return true;
    },
  };
}
