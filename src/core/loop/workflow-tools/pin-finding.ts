// pin_finding: keeps one finding in the session's state, where no condense can lose it.
import { findingBytesLeft, noFinding } from '@holdfast/vocabulary/agent-state';
import { type Json, isRecord } from '@holdfast/base/json';
import { findingsBytes, utf8Bytes } from '@holdfast/base/sizes';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool } from '../effects.ts';

export const pinFinding: WorkflowTool = {
  name: 'pin_finding',
  run(args, { callId, session }) {
    const text = textArgument(args, 'text');
    const replaces = textArgument(args, 'replaces');
    if (text === '') return failWith('Nothing was pinned: expected {text} with the finding in it.');
    const { findings = [], takenBack = [] } = session.state;
    const others = findings.filter(({ id }) => id !== replaces);
    if (replaces !== '' && others.length === findings.length)
      return failWith(`Nothing was pinned: ${noFinding(replaces, session.state)}`);
    const same = findings.find((finding) => finding.text === text);
    if (same && replaces === '') return { text: `This is pinned already, as ${same.id}.` };
    const [size, left] = [utf8Bytes(text), findingBytesLeft([...others, ...takenBack])];
    if (size > left) return failWith(tooMuch(size, left));
    const newest = Math.max(0, ...[...findings, ...takenBack].map(({ id }) => Number(/\d+$/.exec(id))));
    const finding = { id: `finding-${newest + 1}`, text, callId };
    session.record({ type: 'finding_pinned', finding });
    if (replaces !== '') session.record({ type: 'finding_taken_back', id: replaces, by: finding.id });
    const back = replaces === '' ? '' : ` ${replaces} is taken back.`;
    return {
      text: `Pinned as ${finding.id}.${back} ${left - size} of ${findingsBytes} bytes are left for findings.`,
    };
  },
};

function textArgument(args: Json, name: string): string {
  const text = isRecord(args) ? args[name] : undefined;
  return typeof text === 'string' ? text.trim() : '';
}

function tooMuch(size: number, left: number): string {
  return `Nothing was pinned: pinned findings hold ${findingsBytes} bytes in all, ${left} are left, and this one has ${size}. Say it in fewer words.`;
}
