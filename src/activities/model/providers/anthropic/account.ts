// Whose server and key Anthropic's wire uses.
export const account = {
  name: 'anthropic',
  prefix: 'ANTHROPIC',
  baseUrl: 'https://api.anthropic.com',
} as const;
