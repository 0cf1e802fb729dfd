// The server and key of OpenAI's wires.
export const account = { name: 'openai', prefix: 'OPENAI', baseUrl: 'https://api.openai.com/v1' } as const;
