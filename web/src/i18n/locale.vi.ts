// Everything in Vietnamese, loaded only by pages in this language.

import type { Locale } from './locale.svelte';
import { planes } from './planes.vi';
import { translator } from './server-text';
import { messages } from './server-text.vi';
import { textsOf } from './texts';
import { vi } from './vi';

export const locale: Locale = {
  messages: vi,
  translate: translator('vi', messages, textsOf(() => vi).term),
  planes,
};
