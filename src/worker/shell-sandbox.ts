// The sandbox of shell tools, for the parts of a worker and for `holdfast doctor`. Runs in Node.
export { probeSandbox } from '../activities/sandbox/check-sandbox.ts';
