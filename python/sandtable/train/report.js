for (const box of document.querySelectorAll('.game')) {
  const { parts, first, changes, moves } = JSON.parse(box.querySelector('script').textContent)
  const boards = [first]
  for (const change of changes) {
    const board = [...boards.at(-1)]
    for (const [at, removed, ...added] of change) board.splice(at, removed, ...added)
    boards.push(board)
  }
  const slider = box.querySelector('input'), label = box.querySelector('.move')
  const show = ply => {
    slider.value = ply
    // As an image, because the styles of a board would apply to the whole page.
    const svg = boards[ply].map(part => parts[part]).join('')
    box.querySelector('img').src = 'data:image/svg+xml,' + encodeURIComponent(svg)
    label.textContent = ply ? `Move ${ply} of ${boards.length - 1}: ${moves[ply - 1]}` : 'Start'
  }
  slider.max = boards.length - 1
  slider.oninput = () => show(+slider.value)
  for (const button of box.querySelectorAll('button'))
    button.onclick = () => show(Math.min(Math.max(+slider.value + +button.dataset.by, 0), boards.length - 1))
  show(0)
}
