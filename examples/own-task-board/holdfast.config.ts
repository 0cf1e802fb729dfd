// Issues of a repository as tasks: a lead shares them out, and each goes to one analyst.
import { defineConfig } from '../../src/config/define-config.ts';
import { GitHubIssues } from './github-issues.ts';

const { GITHUB_REPOSITORY = 'shop/incidents', GITHUB_API_URL } = process.env;

export default defineConfig({
  taskBoards: {
    issues: new GitHubIssues({
      repository: GITHUB_REPOSITORY,
      token: () => process.env['GITHUB_TOKEN'] ?? '',
      ...(GITHUB_API_URL && { api: GITHUB_API_URL }),
    }),
  },
  agents: {
    lead: {
      description: 'Leads the investigation.',
      instructions: 'Delegate each issue by its number, at once, and answer with what came of them.',
      tools: [],
      delegation: { agents: ['analyst'], taskBoard: 'issues' },
    },
    analyst: {
      description: 'Looks at one thing.',
      instructions: 'Answer, and complete the task.',
      tools: [],
    },
  },
  script: 'script.yaml',
});
