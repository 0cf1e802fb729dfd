// Skills in the loop, in this process with the activities that ship: how they are offered, loaded, kept and forgotten.
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { forkCheckpoint } from '../../../src/core/checkpoint/fork-checkpoint.ts';
import { toImportedState } from '../../../src/core/checkpoint/import-checkpoint.ts';
import { queryRules } from '../../../src/core/session/queries.ts';
import { carryOut, requests as sessionRequests } from '../../../src/core/session/requests.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { skillFile, writeFiles } from '../../support/skill-folders.ts';
import {
  call,
  type Decide,
  inTurn,
  resultsIn,
  type SkillBench,
  skillSession,
  toolsOf,
} from '../../support/skill-session.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const { condense } = sessionRequests;
let folder = '';
beforeEach(async () => {
  folder = join(await temporaryFolder(), 'skills');
  await writeFiles(folder, {
    'disk-full/SKILL.md': skillFile(
      'disk-full',
      'Disks that fill up.',
      'Run df first.',
      'triggers: [ENOSPC]\n',
    ),
    'disk-full/references/quota.md': 'quota: 5 GB\nsecond line\n',
    'postmortem/SKILL.md': skillFile('postmortem', 'How we write one.', 'Begin with the impact.'),
  });
});

const bench = (decide: Decide, more: SkillBench = {}) => skillSession(decide, folder, more);

test('[SKILL-03a] [TOOL-17] [LOOP-06b] [MSG-16b] load_skill gives the whole body as a result; the response counts one and is a thought', async () => {
  const { session, requests } = await bench(inTurn(call('load_skill', { name: 'disk-full' })), {
    agent: { loop: { maxTurns: 2, onLimit: 'error' } },
  });
  const result = await session.ask('Why?');
  expect(result).toMatchObject({ status: 'completed', turns: 2, answer: 'done' });
  expect(toolsOf(requests[0])).toEqual(['echo', 'load_skill', 'load_skills', 'read_skill_file']);
  const [text = ''] = resultsIn(requests[1]);
  expect(text).toMatch(/^# Skill disk-full\n\nRun df first\.\n\nFiles of this skill/);
  expect(text).toContain('\n- references/quota.md');
  expect(result.thoughts.items).toMatchObject([
    { stage: 'tool_call', summary: expect.stringMatching(/^load_skill -> # Skill disk-full/) },
  ]);
  expect(session.snapshot).toMatchObject({ loadedSkills: ['disk-full'] });
});

test('[LOOP-06ab] one turn is the limit: a response that loads skills uses it up', async () => {
  const { session, requests } = await bench(inTurn(call('load_skills', { skills: ['postmortem'] })), {
    agent: { loop: { maxTurns: 1, onLimit: 'error' } },
  });
  expect(await session.ask('Why?')).toMatchObject({ status: 'max_iterations', turns: 1 });
  expect(requests).toHaveLength(1);
});

test('[SKILL-03ab] load_skills gives the bodies in the order asked; unknown names are named with the available ones, and an error when none was found', async () => {
  const { session, requests } = await bench(
    inTurn(
      call('load_skills', { skills: ['postmortem', 'nope', 'disk-full', 'postmortem'] }),
      call('load_skill', { name: 'nope' }),
      call('load_skills', { skills: ['nope', 'no\nsuch'] }),
    ),
  );
  await session.ask('Why?');
  const [both = '', ...errors] = resultsIn(requests[3]);
  expect(both.indexOf('# Skill postmortem\n\nBegin with the impact.')).toBe(0);
  expect(both.indexOf('# Skill disk-full\n\nRun df first.')).toBeGreaterThan(0);
  expect(both).toMatch(/There is no skill "nope"\. Skills: disk-full, postmortem\.$/);
  expect(both.match(/# Skill postmortem/g)).toHaveLength(1);
  expect(errors).toEqual([
    'There is no skill "nope". Skills: disk-full, postmortem.',
    'There is no skill "nope", "no\\nsuch". Skills: disk-full, postmortem.',
  ]);
  const { records } = session.session.state.log;
  expect(records.flatMap((each) => (each.role === 'tool_result' ? [each.isError] : []))).toEqual([
    false,
    true,
    true,
  ]);
  expect(session.snapshot.loadedSkills).toEqual(['postmortem', 'disk-full']);
});

test.each<[string, SkillBench]>([
  ['no folder is configured', { worker: { skills: undefined } }],
  ['the agent has none of them', { agent: { skills: [] } }],
  ['the profile is chat', { agent: { profile: 'chat' } }],
])('[SKILL-03c] where %s the tools are absent, and naming one is an unknown tool', async (_, more) => {
  const { session, requests } = await bench(
    inTurn(call('load_skill', { name: 'disk-full' }), call('load_skills', { skills: ['disk-full'] })),
    more,
  );
  await session.ask('Why?');
  expect(toolsOf(requests[0])).toEqual(more.agent?.profile ? [] : ['echo']);
  expect(resultsIn(requests[2])).toEqual(['Unknown tool load_skill', 'Unknown tool load_skills']);
  expect(session.snapshot.loadedSkills).toEqual([]);
});

test('[SKILL-03a] an agent has the skills that it names, and a pattern names many', async () => {
  const names: string[][] = [];
  for (const skills of [['disk-full'], ['post*'], ['*']]) {
    const { session } = await bench(inTurn(), { agent: { skills } });
    await session.ask('Why?');
    names.push(session.session.state.context?.skills?.map(({ name }) => name) ?? []);
  }
  expect(names).toEqual([['disk-full'], ['postmortem'], ['disk-full', 'postmortem']]);
});

test('[SKILL-05abc] [SKILL-09a] [STATE-03a] [STATE-08a] the loaded set is of the session: it outlives runs, a body that is in the view is not given again, a reset clears it', async () => {
  const { session, requests } = await bench(({ request, newTexts: [asked] }) =>
    asked && request.messages.at(-1)?.role === 'user'
      ? call('load_skill', { name: asked })
      : { text: 'done' },
  );
  await session.ask('postmortem');
  await session.ask('disk-full');
  await session.ask('postmortem');
  expect(session.snapshot.loadedSkills).toEqual(['postmortem', 'disk-full']);
  expect(resultsIn(requests.at(-1)).map((text) => text.split('\n')[0])).toEqual([
    '# Skill postmortem',
    '# Skill disk-full',
    'Loaded before, and still above: postmortem.',
  ]);
  session.reset();
  await session.ask('nope');
  expect(session.snapshot.loadedSkills).toEqual([]);
  await session.ask('postmortem');
  expect(resultsIn(requests.at(-1)).at(-1)).toMatch(/^# Skill postmortem/);
});

test('[SKILL-09b] a body that a condense has folded, or that has changed, is given again', async () => {
  const { session, requests } = await bench(
    ({ request, newTexts: [asked] }) =>
      request.metadata.purpose === 'condense'
        ? { text: 'A summary of what was read about post mortems, disks and quotas.' }
        : asked && request.messages.at(-1)?.role === 'user'
          ? call('load_skills', { skills: ['postmortem', 'disk-full'] })
          : { text: 'done' },
    { agent: { condense: { keepLastN: 1 } } },
  );
  await session.ask('one');
  await writeFiles(folder, { 'disk-full/SKILL.md': skillFile('disk-full', 'Disks.', 'Run du first.') });
  await session.ask('two');
  expect(resultsIn(requests.at(-1)).at(-1)).toMatch(
    /^# Skill disk-full\n\nRun du first\.[^]*still above: postmortem\.$/,
  );
  carryOut(session.session, condense(session.session));
  await session.ask('three');
  expect(resultsIn(requests.at(-1)).at(-1)).toMatch(/^# Skill postmortem\n[^]*# Skill disk-full\n/);
});

test('[SKILL-09b] a body that a view reducer has cut is given again', async () => {
  const reducers = [{ name: 'trim_tool_results' as const, params: { characters: 5, keepLast: 1 } }];
  const load = (name: string) => call('load_skill', { name });
  const { session, requests } = await bench(
    inTurn(load('postmortem'), load('disk-full'), { text: 'done' }, load('postmortem')),
    { agent: { condense: { reducers } } },
  );
  await session.ask('one');
  await session.ask('two');
  const texts = resultsIn(requests.at(-1));
  expect(texts[0]).not.toContain('Begin with');
  expect(texts.at(-1)).toMatch(/^# Skill postmortem\n/);
});

test('[SKILL-09c] a trigger does not bring a body that is in the view', async () => {
  const { session, requests } = await bench(inTurn(), { agent: { promptConfig: { skillTriggers: true } } });
  await session.ask('ENOSPC here');
  await session.ask('ENOSPC there');
  const texts = JSON.stringify(requests.at(-1)?.messages);
  expect(texts.match(/Run df first/g)).toHaveLength(1);
});

test('[SKILL-10ab] tools in allowed-tools that the agent does not have are named when the skill is loaded', async () => {
  await writeFiles(folder, {
    'disk-full/SKILL.md': skillFile(
      'disk-full',
      'Disks.',
      'Run df first.',
      'allowed-tools: Echo, Bash(df:*) Bash(du *), WebFetch\n',
    ),
    'postmortem/SKILL.md': skillFile('postmortem', 'Ours.', 'Begin.', 'allowed-tools: [echo]\n'),
  });
  const { session, requests } = await bench(
    inTurn(call('load_skill', { name: 'disk-full' }), call('load_skill', { name: 'postmortem' })),
  );
  await session.ask('Why?');
  const [first, second] = resultsIn(requests.at(-1));
  expect(first).toMatch(/This skill names tools that you do not have now: Bash, WebFetch\. Use your own/);
  expect(second).not.toContain('names tools');
});

test('[SKILL-05a] [CKPT-07] over a hand-over after every turn requests, log and loaded skills are those of one execution', async () => {
  const play = async (input: SessionInput) => {
    const { session, requests } = await bench(
      inTurn(
        call('load_skill', { name: 'postmortem' }),
        call('load_skill', { name: 'disk-full' }),
        call('read_skill_file', { skill: 'disk-full', path: 'references/quota.md' }),
      ),
      { input },
    );
    const { status, answer } = await session.ask('ENOSPC!');
    const { loadedSkills, lastSeq, lastEventSeq, continuedAsNew } = session.snapshot;
    const sent = requests.map(({ metadata: _, ...request }) => request);
    return { sent, status, answer, loadedSkills, lastSeq, lastEventSeq, continuedAsNew };
  };
  const { continuedAsNew: none, ...whole } = await play({});
  const { continuedAsNew, ...parts } = await play({ continueAsNewAfterTurns: 1 });
  expect([none, continuedAsNew]).toEqual([0, 4]);
  expect(parts).toEqual(whole);
  expect(whole.loadedSkills).toEqual(['postmortem', 'disk-full']);
  expect(resultsIn(whole.sent.at(-1)).at(-1)).toMatch(/^quota: 5 GB/);
});

test('[SKILL-07c] a change on the disk does not reach the run, and the next run has it; the activities alone have read it', async () => {
  const { session, requests } = await bench(async ({ number }) => {
    if (number === 1) {
      await writeFile(join(folder, 'disk-full/SKILL.md'), skillFile('disk-full', 'Changed.', 'Do nothing.'));
      await rm(join(folder, 'postmortem'), { recursive: true });
      return call('load_skills', { skills: ['disk-full', 'postmortem'] });
    }
    if (number === 3) return call('load_skill', { name: 'disk-full' });
    return { text: 'done' };
  });
  await session.ask('Why?');
  expect(resultsIn(requests[1])[0]).toMatch(/Run df first[\s\S]*Begin with the impact\./);
  await session.ask('And now?');
  expect(resultsIn(requests[3])[1]).toMatch(/^# Skill disk-full\n\nDo nothing\./);
  expect(session.session.state.context?.skills?.map(({ name }) => name)).toEqual(['disk-full']);
});

test('[MODE-04d] [SKILL-03a] off the record nothing is stored: the file is read again, and a changed one is refused', async () => {
  const { session, requests } = await bench(
    async ({ number }) => {
      if (number === 2)
        await writeFile(
          join(folder, 'postmortem/SKILL.md'),
          skillFile('postmortem', 'Changed.', 'Do nothing.'),
        );
      const name = number === 1 ? 'disk-full' : 'postmortem';
      return number <= 2 ? call('load_skill', { name }) : { text: 'done' };
    },
    { agent: { offTheRecord: true } },
  );
  await session.ask('Why?');
  expect(await readdir(session.artifactsDir, { recursive: true })).not.toContainEqual(
    expect.stringContaining('skill-'),
  );
  const [first = '', second = ''] = resultsIn(requests[2]);
  expect(first).toContain('Run df first.');
  expect(second).toMatch(/^Skill postmortem is not as it was when this run began/);
  expect(session.snapshot.loadedSkills).toEqual(['disk-full']);
});

test('[SKILL-06] a trigger in the prompt, in any case, puts the bodies before the words of the first message, once', async () => {
  const { session, requests } = await bench(inTurn(call('echo', { text: 'ENOSPC again' })), {
    agent: { promptConfig: { skillTriggers: true } },
  });
  await session.ask('df says: write failed (xeNoSpc7) on /data');
  const [first] = requests[0]?.messages ?? [];
  const texts =
    first?.role === 'user' ? first.content.flatMap((part) => ('text' in part ? [part.text] : [])) : [];
  expect(texts).toEqual([
    expect.stringMatching(/^## Loaded Skills\n\n### disk-full\n\nRun df first\./),
    'df says: write failed (xeNoSpc7) on /data',
  ]);
  expect(texts[0]).not.toContain('postmortem');
  // once: no word of a result or of the next prompt brings another one
  expect(JSON.stringify(requests[1]?.messages).split('## Loaded Skills')).toHaveLength(2);
  expect(session.snapshot.loadedSkills).toEqual(['disk-full']);
  await session.ask('Nothing to match.');
  expect(requests[2]?.messages.at(-1)).toMatchObject({
    content: [{ type: 'text', text: 'Nothing to match.' }],
  });
});

test('[CKPT-12m] a fork at a turn has the skills that were loaded by then, and a trigger does not give one twice', async () => {
  const agent = { promptConfig: { skillTriggers: true } };
  const { session } = await bench(
    inTurn(call('echo', { text: 'a' }), call('load_skill', { name: 'postmortem' })),
    { agent },
  );
  await session.ask('ENOSPC on /data');
  const now = queryRules.checkpoint(session.session);
  const forkAt = (atTurn: number) => {
    const forked = forkCheckpoint(now, { atTurn });
    if (!forked.ok || !forked.value.session) throw new Error('not forked');
    return { checkpoint: forked.value, state: forked.value.session.state };
  };
  expect(forkAt(2).state.loadedSkills).toEqual(['disk-full', 'postmortem']);
  const { checkpoint, state } = forkAt(1);
  expect(state.loadedSkills).toEqual(['disk-full']);
  const options = { sessionId: 'next', now: 0, hasPrompt: true, keepAlive: true, resumeFailed: false };
  const imported = toImportedState(checkpoint, checkpoint.messages.records ?? [], options);
  if (!imported.ok) throw new Error(imported.reason);
  const next = await bench(inTurn(), { agent });
  next.session.session.record({ type: 'imported', state: imported.value.state });
  await next.session.ask('Again ENOSPC');
  const shown = JSON.stringify(next.requests.at(-1)?.messages);
  expect(shown).toContain('Again ENOSPC');
  expect(shown.split('## Loaded Skills')).toHaveLength(2);
});

test.each<[string, Partial<AgentSpec>]>([
  ['without the option', {}],
  ['for an agent without the skill', { promptConfig: { skillTriggers: true }, skills: ['postmortem'] }],
])('[SKILL-06] %s a trigger leaves the message unchanged', async (_, agent) => {
  const { session, requests } = await bench(inTurn(), { agent });
  await session.ask('ENOSPC');
  expect(requests[0]?.messages).toMatchObject([{ content: [{ type: 'text', text: 'ENOSPC' }] }]);
  expect(requests[0]?.messages[0]).not.toHaveProperty('preface');
  expect(session.snapshot.loadedSkills).toEqual([]);
});

test('[SKILL-07ab] read_skill_file reads a file of a skill when it is asked for, and nothing outside its folder', async () => {
  await writeFiles(folder, { 'secret.txt': 'no', 'disk-full/scripts/run.sh': 'echo hi' });
  await symlink(join(folder, 'secret.txt'), join(folder, 'disk-full/link.txt'));
  await symlink(folder, join(folder, 'disk-full/up'));
  // oxfmt-ignore
  const paths = [
    'references/quota.md', 'references/../scripts/run.sh', 'missing.md',
    '../secret.txt', 'references/../../secret.txt', join(folder, 'disk-full/SKILL.md'), '..',
    'link.txt', 'up/secret.txt', 'references',
  ];
  const { session, requests } = await bench(({ number }) => {
    const path = paths[number - 1];
    return path === undefined ? { text: 'done' } : call('read_skill_file', { skill: 'disk-full', path });
  });
  await session.ask('Why?');
  expect(resultsIn(requests.at(-1))).toEqual([
    'quota: 5 GB\nsecond line',
    'echo hi',
    'There is no such file or folder.',
    ...['"../secret.txt"', '"references/../../secret.txt"'].map(
      (path) => `Refused: ${path} leaves the folder of the skill.`,
    ),
    expect.stringMatching(/^Refused: ".*SKILL.md" leaves the folder of the skill\.$/),
    'Refused: ".." leaves the folder of the skill.',
    expect.stringMatching(/^Refused: the path is outside/),
    expect.stringMatching(/^Refused: the path is outside/),
    'That is a folder: list it with ls.',
  ]);
});

test('[SKILL-07a] read_skill_file reads of the skills of the run, and a range of lines', async () => {
  const { session, requests } = await bench(
    inTurn(
      call('read_skill_file', { skill: 'disk-full', path: 'references/quota.md', offset: 2, limit: 1 }),
      call('read_skill_file', { skill: 'postmortem', path: 'SKILL.md' }),
    ),
    { agent: { skills: ['disk-full'], mode: 'observe' } },
  );
  await session.ask('Why?');
  expect(resultsIn(requests.at(-1))).toEqual([
    expect.stringMatching(/^second line\n\[lines 2 to 2 of 2/),
    'There is no skill "postmortem". Skills: disk-full.',
  ]);
});
