/** A bad value of the configuration: one line that names the variable and the mend. */
export class ConfigError extends Error {}
