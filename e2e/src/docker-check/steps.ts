/** The progress of the check, from one process to the other. */
export type StepReport =
  | { readonly kind: 'started'; readonly title: string }
  | ({ readonly kind: 'passed' } & PassedStep);

export interface PassedStep {
  readonly title: string;
  readonly seconds: number;
  /** The figures or facts that the step found. */
  readonly result: string;
}

/** Runs one step and reports its start and its end. @param work - returns what it saw. @throws what the work throws */
export type Step = (title: string, work: () => Promise<string>) => Promise<void>;

/** Creates a function that runs steps. @param report - called at the start and the end of each */
export function createStep(report: (event: StepReport) => void): Step {
  return async (title, work) => {
    report({ kind: 'started', title });
    const started = performance.now();
    let result: string;
    try {
      result = await work();
    } catch (error) {
      throw new Error(`${title}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    report({ kind: 'passed', title, seconds: (performance.now() - started) / 1000, result });
  };
}
