// Loading what is scrolled to.

/** Calls `callback` once an element is on the screen. Returns a function that cancels it. */
export function whenVisible(element: Element, callback: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    callback();
  });
  observer.observe(element);
  return () => observer.disconnect();
}
