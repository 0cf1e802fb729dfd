// Names under which a session leaves things in the artifact store: written by activities, read by clients.

/** The newest result of the session. */
export const resultArtifact = 'result.json';
/** The whole log of a session whose run has ended, for when its history is gone. */
export const logArtifact = 'log.json';
