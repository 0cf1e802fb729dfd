// The server and key of Anthropic's wire.
export const account = {
  name: 'anthropic',
  prefix: 'ANTHROPIC',
  baseUrl: 'https://api.anthropic.com',
} as const;
