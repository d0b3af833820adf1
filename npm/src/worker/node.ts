import { parentPort } from 'node:worker_threads';

import { serve } from './serve.js';

const handle = serve((answer) => parentPort?.postMessage(answer));
parentPort?.on('message', handle);
