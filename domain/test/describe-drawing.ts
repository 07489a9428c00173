import type { Art } from '@dune-tide/domain/art/art';
import { palette } from '@dune-tide/domain/brand';
import { expect } from 'chai';

const argumentsOf: Readonly<Record<string, number>> = { M: 2, L: 2, C: 6, Z: 0 };

/** Splits path data into commands and their numbers, including commands that drawings must not use. */
function commands(path: string): { letter: string; numbers: number[] }[] {
  return (path.match(/[A-Za-z][^A-Za-z]*/g) ?? []).map((command) => ({
    letter: command.charAt(0),
    numbers: command
      .slice(1)
      .split(/[\s,]+|(?<=\d)(?=-)/)
      .filter((number) => number !== '')
      .map(Number),
  }));
}

/** Checks that a drawing has a text alternative and that both the site and the PDF can render its shapes. */
export function checkDrawing(art: Art): void {
  checkAlternative(art);
  checkInks(art);
  checkCommands(art);
  checkFrame(art);
}

/** Defines the same checks as tests. */
export function describeDrawing(art: Art): void {
  it('has a text alternative of 10 to 160 characters', () => checkAlternative(art));
  it('has a fill or a stroke with a width for each shape, in colours of the palette', () => checkInks(art));
  it('consists of complete absolute commands, with a move at the start of each shape', () => checkCommands(art));
  it('stays within its frame and bleed', () => checkFrame(art));
}

function checkAlternative(art: Art): void {
  expect(art.alt.length).to.be.within(10, 160);
}

function checkInks(art: Art): void {
  expect(art.shapes.length).to.be.greaterThan(0);
  for (const shape of art.shapes) {
    const inks = [shape.fill, shape.stroke].filter((ink) => ink !== undefined);
    expect(inks).to.not.deep.equal([]);
    for (const ink of inks) expect(palette).to.have.property(ink);
    if (shape.stroke !== undefined) expect(shape.strokeWidth).to.be.greaterThan(0);
  }
}

function checkCommands(art: Art): void {
  for (const { d } of art.shapes) {
    expect(d).to.match(/^M/);
    for (const { letter, numbers } of commands(d)) {
      expect(argumentsOf, d).to.have.property(letter);
      expect(numbers, d).to.have.length(argumentsOf[letter] ?? 0);
      for (const number of numbers) expect(Number.isFinite(number), d).to.equal(true);
    }
  }
}

function checkFrame(art: Art): void {
  const bleed = art.bleed ?? 0;
  for (const { d } of art.shapes) {
    const pairs = commands(d).flatMap(({ numbers }) => numbers);
    const [xs, ys] = [0, 1].map((axis) => pairs.filter((_, index) => index % 2 === axis)) as [number[], number[]];
    expect(Math.min(...xs), d).to.be.at.least(-bleed);
    expect(Math.max(...xs), d).to.be.at.most(art.width + bleed);
    expect(Math.min(...ys), d).to.be.at.least(-bleed);
    expect(Math.max(...ys), d).to.be.at.most(art.height + bleed);
  }
}
