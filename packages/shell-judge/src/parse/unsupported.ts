/** Syntax that is not judged: nothing of the command runs. The message is for the model and for people. */
export class Unsupported extends Error {}
