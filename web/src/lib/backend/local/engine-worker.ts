// A worker that runs one search at a time. To stop a search, the worker is terminated (engines.ts).

import chess from '#nets/chess.net?url';
import cotulenh from '#nets/cotulenh.net?url';
import tribun from '#nets/tribun.net?url';
import { analyse, decide, initSync, installNetwork } from '#wasm/sandtable_wasm.js';
import type { EngineRequest, EngineResponse } from './engines';
import { kindOf, Networks } from './networks';
import { errorBody } from './protocol';

const respond = (response: EngineResponse) => postMessage(response);
const never = () => false;
const networks = new Networks({ chess, cotulenh, tribun }, installNetwork, (message) =>
  console.warn(message),
);

async function handle(request: EngineRequest): Promise<void> {
  switch (request.type) {
    case 'core':
      initSync({ module: request.module });
      break;
    case 'decide':
      await networks.ready(kindOf(request.task));
      respond({ type: 'decided', decision: decide(request.task, never) });
      break;
    case 'analyse':
      await networks.ready(kindOf(request.request));
      analyse(request.request, (message) => respond({ type: 'message', message }), never);
      respond({ type: 'analysed' });
  }
}

onmessage = ({ data }: MessageEvent<EngineRequest>) => {
  handle(data).catch((error: unknown) => respond({ type: 'failed', error: errorBody(error) }));
};
