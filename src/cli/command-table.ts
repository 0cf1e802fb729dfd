// Every command with its line in the help, in the order in which a person meets them, and the module with its arguments
// and options. A start loads only the module of the typed command.
import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/** Lines of the help, by heading. */
export const commandTable = {
  'Investigate:': {
    run: 'start an investigation and follow it, with a worker here and a server if there is none',
    watch: 'follow a session live, from any terminal',
    list: 'list sessions, newest first',
    show: 'show the state of a session: task, cost, and what it is waiting for',
    result: 'show the result of a session, with its report; waits for its end',
    report: 'print the report of a session, as Markdown, as a page, or for programs',
    output: 'print the stored output of a tool call, whole or around a line',
    logs: 'print what was said and done in a session',
    open: 'open a session in the Temporal UI, and print its address',
    rm: 'remove a session that has ended, with everything that was stored of it',
  },
  'Talk to a session:': {
    steer: 'send a message that the agent reads between turns',
    'follow-up': 'send a message that the agent reads when it would stop',
    prompt:
      'give an idle session (run --keep-alive) its next task; with the name of an agent alone, print what the model will see of it',
    continue:
      'continue the work of an idle session (run --keep-alive) after a limit, a failure or an abort, or with the messages in its queues',
    abort: 'end the current run and keep its findings',
    resume: 'repeat the model call after you have fixed a refused key or a quota',
    condense: 'fold the older part of an idle session into a summary',
    end: 'close a session (run --keep-alive) after its current run',
    'extend-budget': 'add to the budget of the current work',
  },
  'Approve and answer:': {
    approvals: 'list the calls and questions that wait for a person, over all sessions, oldest first',
    approve: 'allow a call that waits for approval',
    deny: 'refuse a call that waits for approval',
    answer: 'answer a question of the agent',
    policy: 'show which calls run, which ask a person, and why',
  },
  'Set up and check:': {
    init: 'set up a project: config, a tool and an agent of your own, and a test',
    config: 'check the config file',
    doctor: 'check the installation and suggest fixes',
    tools: 'list the tools of a worker of this config: effect, policy and status',
    agents: 'list the agents of this config: source, model, mode, tools, limits, and whether each can run',
    skills: 'list the skills and runbooks of this config, and what is wrong with those left out',
    dev: "run this folder's Temporal server (and nothing else) until Ctrl-C",
    completion: 'print a script that completes commands, options and session ids in a shell',
    demo: 'watch the agent investigate a real incident, in about a minute',
  },
  'Run it for a team:': {
    worker: 'run sessions, with their model calls and tools, until Ctrl-C',
    hosts: 'list the hosts that agents may work on, and the workers that serve them',
    board: 'task boards: the tasks of a team of agents, and who has claimed them',
    memory: 'look at what agents remember, and make them forget a piece of it',
    'codec-server': 'decrypt payloads for the Temporal UI and CLI, until Ctrl-C',
    replay: 'replay the history of a session against this version, and say where it does not fit',
  },
  'Keep and fork:': {
    fork: 'fork a session from its current state or from an earlier turn',
    checkpoint: 'save a session as a file, to continue it elsewhere or later',
    artifacts: 'look at stored outputs, logs and results, and remove old ones',
  },
  'Build on it:': {
    mcp: 'serve sessions to MCP clients on standard input and output, until the client goes',
    schema: 'print the JSON Schemas of all that a session takes and gives, for programs in any language',
    'scripted-model': "play a model script over HTTP, in OpenAI's and Anthropic's formats, until Ctrl-C",
  },
} as const;

type Heading = keyof typeof commandTable;
export type CommandName = { [Name in Heading]: keyof (typeof commandTable)[Name] }[Heading];
type Register = (program: Command, cli: Cli) => void;

/** A function under two names registers both commands. */
export const loaders: Record<CommandName, () => Promise<Register>> = {
  run: async () => (await import('./commands/follow.ts')).registerRun,
  watch: async () => (await import('./commands/follow.ts')).registerWatch,
  list: async () => (await import('./commands/list.ts')).registerList,
  show: async () => (await import('./commands/look.ts')).registerShow,
  result: async () => (await import('./commands/look.ts')).registerResult,
  report: async () => (await import('./commands/evidence.ts')).registerReport,
  output: async () => (await import('./commands/evidence.ts')).registerOutput,
  logs: async () => (await import('./commands/logs.ts')).registerLogs,
  open: async () => (await import('./commands/open.ts')).registerOpen,
  rm: async () => (await import('./commands/remove.ts')).registerRemove,
  steer: async () => (await import('./commands/send.ts')).registerMessages,
  'follow-up': async () => (await import('./commands/send.ts')).registerMessages,
  prompt: async () => (await import('./commands/prompt.ts')).registerPrompts,
  continue: async () => (await import('./commands/prompt.ts')).registerPrompts,
  abort: async () => (await import('./commands/control.ts')).registerControls,
  resume: async () => (await import('./commands/control.ts')).registerControls,
  condense: async () => (await import('./commands/control.ts')).registerControls,
  end: async () => (await import('./commands/control.ts')).registerControls,
  'extend-budget': async () => (await import('./commands/control.ts')).registerExtendBudget,
  approvals: async () => (await import('./commands/approvals.ts')).registerApprovalList,
  approve: async () => (await import('./commands/answer.ts')).registerApprovals,
  deny: async () => (await import('./commands/answer.ts')).registerApprovals,
  answer: async () => (await import('./commands/answer.ts')).registerAnswer,
  policy: async () => (await import('./commands/policy.ts')).registerPolicy,
  init: async () => (await import('./commands/init.ts')).registerInit,
  config: async () => (await import('./commands/config.ts')).registerConfig,
  doctor: async () => (await import('./doctor/doctor.ts')).registerDoctor,
  tools: async () => (await import('./commands/tools.ts')).registerTools,
  agents: async () => (await import('./commands/agents.ts')).registerAgents,
  skills: async () => (await import('./commands/skills.ts')).registerSkills,
  dev: async () => (await import('./commands/serve.ts')).registerDev,
  completion: async () => (await import('./commands/completion.ts')).registerCompletion,
  demo: async () => (await import('../../examples/demo/demo.ts')).registerDemo,
  worker: async () => (await import('./commands/serve.ts')).registerWorker,
  hosts: async () => (await import('./commands/hosts.ts')).registerHosts,
  board: async () => (await import('./commands/board.ts')).registerBoard,
  memory: async () => (await import('./commands/memory.ts')).registerMemory,
  'codec-server': async () => (await import('./commands/codec-server.ts')).registerCodecServer,
  replay: async () => (await import('./commands/replay.ts')).registerReplay,
  fork: async () => (await import('./commands/from-state.ts')).registerFork,
  checkpoint: async () => (await import('./commands/from-state.ts')).registerCheckpoint,
  artifacts: async () => (await import('./commands/artifacts.ts')).registerArtifacts,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
  schema: async () => (await import('./commands/schema.ts')).registerSchema,
  'scripted-model': async () => (await import('./commands/scripted-model.ts')).registerScriptedModel,
};
