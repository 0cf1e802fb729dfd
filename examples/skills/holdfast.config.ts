// Skills and runbooks of a team: folders beside this file.
import { defineConfig } from '../../src/config/define-config.ts';

export default defineConfig({
  skills: ['skills'],
  runbooks: ['runbooks'],
  agents: {
    // in place of the built-in agent, which ends with a report: it answers in words
    investigator: {
      instructions: 'Find out what is wrong and say what should be done.',
      tools: ['*', '!report'],
    },
    'on-call': {
      instructions: 'You are on call. Find out what is wrong and say what should be done.',
      tools: ['find_runbook'],
      promptConfig: { skillTriggers: true },
    },
  },
  script: 'script.yaml',
});
