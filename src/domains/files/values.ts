/** A file of a message, and all files of one message together: more than this, mail servers refuse. */
export const FILE_BYTES_MAX = 25 * 1024 * 1024
export const FILES_OF_MESSAGE_MAX = 20
export const FILE_NAME_LENGTH_MAX = 200
export const FILE_TYPE_LENGTH_MAX = 100
/** One that was uploaded and never sent is removed. */
export const UNUSED_FOR_HOURS = 24
