// Short synthesized sounds, played unless the player turned them off.

import type { EffectKind } from '../moves/move-effects';
import { settings } from './settings.svelte';

export type Sound = EffectKind | 'move' | 'offer' | 'end';

/** The notes of each sound: a sweep between two frequencies, with length and delay in seconds. */
const NOTES: Record<Sound, { from: number; to: number; length: number; gain: number; delay: number }[]> = {
  move: [{ from: 220, to: 130, length: 0.07, gain: 0.12, delay: 0 }],
  capture: [
    { from: 200, to: 90, length: 0.09, gain: 0.15, delay: 0 },
    { from: 120, to: 60, length: 0.1, gain: 0.12, delay: 0.03 },
  ],
  heroic: [
    { from: 392, to: 392, length: 0.09, gain: 0.07, delay: 0 },
    { from: 523, to: 523, length: 0.09, gain: 0.07, delay: 0.08 },
    { from: 784, to: 784, length: 0.2, gain: 0.07, delay: 0.16 },
  ],
  enslave: [
    { from: 165, to: 110, length: 0.12, gain: 0.14, delay: 0 },
    { from: 147, to: 82, length: 0.18, gain: 0.14, delay: 0.1 },
  ],
  liberate: [
    { from: 262, to: 330, length: 0.1, gain: 0.08, delay: 0 },
    { from: 330, to: 494, length: 0.16, gain: 0.08, delay: 0.09 },
  ],
  check: [
    { from: 440, to: 430, length: 0.1, gain: 0.06, delay: 0 },
    { from: 587, to: 580, length: 0.12, gain: 0.06, delay: 0.08 },
  ],
  offer: [
    { from: 330, to: 330, length: 0.12, gain: 0.05, delay: 0 },
    { from: 392, to: 392, length: 0.16, gain: 0.05, delay: 0.1 },
  ],
  end: [
    { from: 392, to: 392, length: 0.18, gain: 0.06, delay: 0 },
    { from: 523, to: 523, length: 0.18, gain: 0.06, delay: 0.14 },
    { from: 659, to: 659, length: 0.3, gain: 0.06, delay: 0.28 },
  ],
};

let context: AudioContext | null = null;

/** How long the next of several sounds waits, in seconds. */
const GAP = 0.14;

/** Plays sounds one after the other. */
export function playSound(...sounds: Sound[]): void {
  // Browsers block audio until the first user gesture and would then play everything at once: sounds before it are skipped.
  if (!settings.sound || !navigator.userActivation.hasBeenActive) return;
  const audio = (context ??= new AudioContext());
  if (audio.state === 'suspended') void audio.resume().catch(() => undefined);
  const start = audio.currentTime;
  sounds.forEach((sound, i) => playNotes(audio, sound, start + i * GAP));
}

function playNotes(context: AudioContext, sound: Sound, start: number): void {
  for (const note of NOTES[sound]) {
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    const at = start + note.delay;
    oscillator.type = 'triangle';
    oscillator.frequency.setValueAtTime(note.from, at);
    oscillator.frequency.exponentialRampToValueAtTime(note.to, at + note.length);
    volume.gain.setValueAtTime(note.gain, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + note.length);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + note.length);
  }
}
