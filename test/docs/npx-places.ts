// Every place that says `npx` to a reader: file, line and reason. npx fetches from the registry, where the package is not, so
// that a new place needs a reason of this list.

type Places = { why: string; lines: Record<string, readonly string[]> };

export const npxPlaces: readonly Places[] = [
  {
    why: 'a project that has the package installed',
    lines: {
      'README.md': [
        'installed `npx holdfast doctor`. The package is in no registry yet: `init` prints how a project gets it from the clone. Commands',
      ],
      'docs/mcp.md': [
        '"holdfast": { "command": "npx", "args": ["holdfast", "mcp", "--worker"], "cwd": "/srv/ops" }',
      ],
      'docs/path-try.md': [
        'npx holdfast run --mode observe "what filled the disk of this machine?"',
        'npx holdfast tools',
        'npx holdfast policy list',
        'npx holdfast doctor',
      ],
      'docs/tutorial.md': [
        'npx holdfast run --agent on-call "How full is the disk?"',
        'npx holdfast config check',
        'npx holdfast tools',
        'It has two tools and no others, at most twenty turns, and a dollar. `npx holdfast agents` lists it beside those of the package.',
        'npx holdfast run --agent queue --session queue-1 "Why do jobs wait?"',
        'npx holdfast approvals',
        'npx holdfast approve queue-1',
        'npx holdfast run --agent queue --session queue-2 "Why do jobs wait?"',
        'npx holdfast show queue-2',
        'continue:   npx holdfast watch queue-2 --worker',
        'npx holdfast watch queue-2 --worker',
        'npx holdfast fork queue-2 --at-turn 1 --session queue-3 --approval deny',
        'npx holdfast list',
        'npx holdfast logs queue-2',
        'npx holdfast open queue-2',
        'npx holdfast dev --stop',
        'npx holdfast run --agent queue "Jobs have been waiting since noon. Why?"',
      ],
    },
  },
  {
    why: 'an example in a clone, on any Node: npx finds the package node, which npm ci has installed',
    lines: {
      'examples/condensing/README.md': [
        'npx node ../../bin/holdfast.js run --agent patient "Why is checkout slow?"',
        'npx node ../../bin/holdfast.js report <session>',
      ],
      'examples/delivery/README.md': [
        'SECRET=a-secret-of-your-own npx node receiver.ts',
        'SECRET=a-secret-of-your-own npx node ../../bin/holdfast.js run --deliver program "is it there?"',
      ],
      'examples/five-reports/README.md': [
        'npx node ../../bin/holdfast.js run --agent night --session confirmed --yes \\',
        'npx node ../../bin/holdfast.js report confirmed --format html --output confirmed.html',
        '| `aborted` | a person stops the run while a change waits for approval | `--no-input`, then `npx node ../../bin/holdfast.js abort aborted` |',
      ],
      'examples/memory/README.md': [
        'npx node ../../bin/holdfast.js run "Why is the pool of checkout full?"',
        'npx node ../../bin/holdfast.js memory search "pool timeout"',
      ],
      'examples/middleware/README.md': [
        'npx node ../../bin/holdfast.js run --agent on-call "Why is checkout slow?"',
        'npx node ../../bin/holdfast.js run --agent on-call "DiskFull on db-1"',
      ],
      'examples/own-agent/README.md': [
        'npx node ../../bin/holdfast.js agents',
        'npx node ../../bin/holdfast.js prompt night',
        'npx node ../../bin/holdfast.js run --agent night --template slow shop 14:00',
      ],
      'examples/own-artifact-store/README.md': [
        'npx node ../../bin/holdfast.js run "Show that the store works."',
      ],
      'examples/own-hook/README.md': [
        'npx node ../../bin/holdfast.js run --agent operator "Restart checkout."',
      ],
      'examples/own-provider/README.md': [
        'npx node acme-server.ts',
        'ACME_EU_API_KEY=acme-key npx node ../../bin/holdfast.js run "How is checkout?"',
      ],
      'examples/own-provider/acme-server.ts': ['// In this folder: npx node acme-server.ts'],
      'examples/own-task-board/README.md': [
        'GITHUB_TOKEN=... GITHUB_REPOSITORY=shop/incidents npx node ../../bin/holdfast.js run --agent lead "Work on issues 7 and 8."',
      ],
      'examples/own-tool/README.md': ['npx node ../../bin/holdfast.js run "How full is the disk?"'],
      'examples/planning/README.md': [
        'npx node ../../bin/holdfast.js run --agent methodical "Why is checkout slow?"',
        'npx node ../../bin/holdfast.js show <session>',
      ],
      'examples/reflection/README.md': [
        'npx node ../../bin/holdfast.js run --agent lead "Why is checkout slow?"',
      ],
      'examples/session-handle/README.md': [
        'HOLDFAST_TASK_QUEUE=session-handle npx node ../../bin/holdfast.js worker',
        'npx node session-handle.ts 127.0.0.1:7233 session-handle',
        'npx node every-method.ts 127.0.0.1:7233 session-handle',
      ],
      'examples/session-handle/every-method.ts': [
        '//   npx node every-method.ts <host:port of the Temporal server> <task queue of the worker>',
      ],
      'examples/session-handle/session-handle.ts': [
        '//   npx node session-handle.ts <host:port of the Temporal server> <task queue of the worker>',
      ],
      'examples/without-temporal/README.md': ['npx node without-temporal.ts'],
      'examples/without-temporal/without-temporal.ts': ['//   npx node without-temporal.ts'],
      'examples/skills/README.md': [
        'npx node ../../bin/holdfast.js skills',
        'npx node ../../bin/holdfast.js run "DatabaseDiskFillingUp fires on db-1, find out why"',
        'npx node ../../bin/holdfast.js run --agent on-call "A write failed on db-1: No space left on device"',
      ],
      'examples/subagents/README.md': [
        'npx node ../../bin/holdfast.js run --agent lead "Why is checkout slow?"',
      ],
      'examples/task-board/README.md': [
        'npx node ../../bin/holdfast.js worker                      # in a terminal of its own: boards are workflows',
        'npx node ../../bin/holdfast.js board add incident-42 "Which deploys were there?" --id deploys',
        'npx node ../../bin/holdfast.js run --agent lead --task-board incident-42 "Work on the board."',
        'npx node ../../bin/holdfast.js board list incident-42',
      ],
    },
  },
  {
    why: "another program's package",
    lines: {
      'AGENTS.md': [
        'npx vitest run --project unit FILE      # one file; projects: unit, workflows, replay, system',
        'npx oxfmt                               # format',
        '- A change of workflow code must replay old histories (`npx vitest run --project replay`).',
        '- Docs change with the code; their links, commands and examples are tested (`npx vitest run --project unit test/docs`).',
      ],
      'CONTRIBUTING.md': [
        '| while you work | `npx vitest run FILE`; `npm run test:changed` runs what the change touches since the last commit, or `-- main` since another one | seconds to minutes |',
        'Links lead to files and headings that exist. Run `npx vitest run --project unit test/docs`.',
      ],
      'docs/mcp.md': [
        "files: { command: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/var/log'], tools: ['read_*', 'list_*'] },",
      ],
    },
  },
  {
    why: 'printed where Holdfast was started so, or by an installed package on an old Node',
    lines: {
      'bin/holdfast.js': [
        ': \'Run "npm install node@\' + neededMajor + \'" in this folder and then "npx holdfast" again\') +',
      ],
      'src/config/command-line.ts': [
        "if (npm === 'exec') return fetched ? `npx --package=${shellWord(fetched)} holdfast` : 'npx holdfast';",
        "return 'npx holdfast';",
        "return `${programHere() === 'holdfast' ? 'holdfast' : 'npx holdfast'} ${command}`;",
      ],
    },
  },
];
