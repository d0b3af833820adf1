// A worker that runs one search at a time. To stop a search, the worker is terminated (engines.ts).

import { analyse, decide, initSync } from '#wasm/sandtable_wasm.js';
import type { EngineRequest, EngineResponse } from './engines';
import { errorBody } from './protocol';

const respond = (response: EngineResponse) => postMessage(response);
const never = () => false;

onmessage = ({ data }: MessageEvent<EngineRequest>) => {
  try {
    switch (data.type) {
      case 'core':
        initSync({ module: data.module });
        break;
      case 'decide':
        respond({ type: 'decided', decision: decide(data.task, never) });
        break;
      case 'analyse':
        analyse(data.request, (message) => respond({ type: 'message', message }), never);
        respond({ type: 'analysed' });
    }
  } catch (error) {
    respond({ type: 'failed', error: errorBody(error) });
  }
};
