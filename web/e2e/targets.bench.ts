import { test } from 'vitest';
import { measure } from './bench';

test('press to targets', async () => {
  for (const [kind, { median, most }] of Object.entries(await measure())) {
    console.log(`${kind}: median ${median.toFixed(2)} ms, 95 % below ${most.toFixed(2)} ms`);
  }
});
