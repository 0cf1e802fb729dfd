// A process of its own that compiles the modules of a worker and bundles the workflows, before the tests start workers. One that
// is killed leaves nothing in Node's compile cache, and those that start at once each make the bundle.
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import './session-worker.ts';

await getWorkflowBundle();
