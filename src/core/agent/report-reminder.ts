// The reminder for a model whose reply would end the run without the report that it owes. Pure.
import { escapeRegExp } from '@holdfast/base/reg-exp';
import { type AssistantMessage, textOf } from '@holdfast/vocabulary/messages';

/** `reply` is the one that would end the run; `tools` are the names that it may call. */
export function reportReminder(reply: AssistantMessage | undefined, tools: readonly string[]): string {
  return [
    'Your work would end here without a report. Nothing in your words was checked, so they are no result.',
    ...whatWasWrong(reply, tools),
    'Missing: a call of the tool report, with your claims and the quotes that show them. Where something is left to look at, ' +
      'make those calls now. Else call report, with grade inconclusive where the cause is open.',
    'This is said once: without a report the run ends, and is marked as one that has none.',
  ].join('\n');
}

function whatWasWrong(reply: AssistantMessage | undefined, tools: readonly string[]): string[] {
  const written = reply && callInWords(textOf(reply), tools);
  if (written !== undefined)
    return [`It has a call of ${written} written as text: nobody makes that call. Make it as a tool call.`];
  return reply?.stopReason === 'tool_use'
    ? ['It ended as if it made calls, and there was none in it. What you announce is not done by itself.']
    : [];
}

/** Finds a call written as text, in the forms that models use by mistake: JSON, tags, a function. */
function callInWords(text: string, tools: readonly string[]): string | undefined {
  return tools.find((tool) => {
    const name = escapeRegExp(tool);
    const named = `(?:"(?:name|tool|function|action)"\\s*:\\s*"|<(?:invoke\\s+name="|function=)?|functions\\.)${name}\\b`;
    return new RegExp(`${named}|\\b${name}\\s*\\(\\s*[{"']`).test(text);
  });
}
