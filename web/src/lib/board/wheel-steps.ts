// Stepping through a game with the wheel.

/** The scroll distance of one step; touchpads send many small events. */
const STEP_DISTANCE = 60;

/** Steps when the wheel is turned over an element, which then does not scroll. Returns a function that ends it. */
export function stepByWheel(element: Element, step: (by: -1 | 1) => void): () => void {
  /** The scroll distance since the last step. */
  let scrolled = 0;
  const handleWheel = (event: Event) => {
    const { ctrlKey, deltaY } = event as WheelEvent;
    if (ctrlKey || deltaY === 0) return;
    event.preventDefault();
    scrolled += deltaY;
    if (Math.abs(scrolled) < STEP_DISTANCE) return;
    step(scrolled > 0 ? 1 : -1);
    scrolled = 0;
  };
  element.addEventListener('wheel', handleWheel, { passive: false });
  return () => element.removeEventListener('wheel', handleWheel);
}
