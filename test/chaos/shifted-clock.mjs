// Loaded before the product in a process of the fault laboratory: its wall clock can be set off by a message. The clock of
// the database and the monotonic clock stay as they are.
const RealDate = Date
let shiftMs = 0

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...given)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}

process.on('message', message => (shiftMs = message.shiftMs))
// The laboratory is gone: nobody else would end this process.
process.on('disconnect', () => process.exit(1))
process.channel?.unref()
