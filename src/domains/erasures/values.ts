/** RUNNING until nothing is left of the person; FAILED where the work gave up and a person has to look at it. */
export const erasureStatuses = ['RUNNING', 'DONE', 'FAILED'] as const
