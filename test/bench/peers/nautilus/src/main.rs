//! EMA cross 10/20 on one-minute bars in the Rust crates of NautilusTrader. Usage: bars_nautilus BARS.csv.gz [PASSES]

use std::{env, fs::File, io::Read};

use flate2::read::GzDecoder;
use nautilus_backtest::{
    config::{BacktestEngineConfig, SimulatedVenueConfig},
    engine::BacktestEngine,
};
use nautilus_common::{actor::DataActor, logging::logger::LoggerConfig};
use nautilus_indicators::{
    average::ema::ExponentialMovingAverage,
    indicator::{Indicator, MovingAverage},
};
use nautilus_model::{
    data::{Bar, BarType, Data},
    enums::{AccountType, BookType, OmsType, OrderSide},
    identifiers::{InstrumentId, StrategyId, Venue},
    instruments::{Instrument, InstrumentAny, stubs::currency_pair_btcusdt},
    types::{Money, Price, Quantity},
};
use nautilus_trading::{
    nautilus_strategy,
    strategy::{Strategy, StrategyConfig, StrategyCore},
};

/// Long while the fast average is not below the slow one, else short, as the EMACross of the Python package.
#[derive(Debug)]
struct EmaCross {
    core: StrategyCore,
    instrument_id: InstrumentId,
    bar_type: BarType,
    fast: ExponentialMovingAverage,
    slow: ExponentialMovingAverage,
    side: Option<OrderSide>,
}

nautilus_strategy!(EmaCross);

impl EmaCross {
    fn new(instrument_id: InstrumentId, bar_type: BarType) -> Self {
        let config = StrategyConfig {
            strategy_id: Some(StrategyId::from("EMA_CROSS-001")),
            order_id_tag: Some("001".to_string()),
            ..Default::default()
        };
        Self {
            core: StrategyCore::new(config),
            instrument_id,
            bar_type,
            fast: ExponentialMovingAverage::new(10, None),
            slow: ExponentialMovingAverage::new(20, None),
            side: None,
        }
    }
}

impl DataActor for EmaCross {
    fn on_start(&mut self) -> anyhow::Result<()> {
        self.subscribe_bars(self.bar_type, None, None);
        Ok(())
    }

    fn on_bar(&mut self, bar: &Bar) -> anyhow::Result<()> {
        self.fast.handle_bar(bar);
        self.slow.handle_bar(bar);
        if !self.slow.initialized() {
            return Ok(());
        }
        let side = if self.fast.value() >= self.slow.value() { OrderSide::Buy } else { OrderSide::Sell };
        if self.side == Some(side) {
            return Ok(());
        }
        if self.side.is_some() {
            self.close_all_positions(self.instrument_id, None, None, None, None, None, None)?;
        }
        self.side = Some(side);
        let size = Quantity::from("0.001000");
        let order = self.core.order_factory().market(self.instrument_id, side, size, None, None, None, None, None, None, None);
        self.submit_order(order, None, None, None)
    }

    fn on_stop(&mut self) -> anyhow::Result<()> {
        self.close_all_positions(self.instrument_id, None, None, None, None, None, None)
    }
}

/// Nanoseconds since the epoch of "2021-12-31 23:01:00.000000"; the days are counted from March, so that the leap day is the last.
fn nanos_of(text: &str) -> u64 {
    let part = |from: usize, to: usize| text[from..to].parse::<u64>().expect("a time of digits");
    let (year, month) = if part(5, 7) > 2 { (part(0, 4), part(5, 7) - 3) } else { (part(0, 4) - 1, part(5, 7) + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + part(8, 10) - 1 - 719_468;
    (((days * 24 + part(11, 13)) * 60 + part(14, 16)) * 60 + part(17, 19)) * 1_000_000_000
}

fn bars_of(path: &str, bar_type: BarType) -> anyhow::Result<Vec<Data>> {
    let mut text = String::new();
    GzDecoder::new(File::open(path)?).read_to_string(&mut text)?;
    let bars = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields[i].parse::<f64>().expect("a number");
        let price = |i: usize| Price::new(number(i), 2);
        let time = nanos_of(fields[0]).into();
        let volume = Quantity::new(number(5), 6);
        Data::Bar(Bar::new(bar_type, price(1), price(2), price(3), price(4), volume, time, time))
    });
    Ok(bars.collect())
}

/// Processor time of all threads, in seconds.
fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes the struct that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let passes: usize = arguments.get(2).map_or(Ok(5), |text| text.parse())?;
    let instrument = InstrumentAny::CurrencyPair(currency_pair_btcusdt());
    let bar_type = BarType::from("BTCUSDT.BINANCE-1-MINUTE-LAST-EXTERNAL");
    let bars = bars_of(&arguments[1], bar_type)?;
    let mut times = Vec::new();
    let mut orders = 0;
    for _ in 0..passes {
        let logging = LoggerConfig { bypass_logging: true, ..Default::default() };
        let mut engine = BacktestEngine::new(BacktestEngineConfig { logging, ..Default::default() })?;
        engine.add_venue(
            SimulatedVenueConfig::builder()
                .venue(Venue::from("BINANCE"))
                .oms_type(OmsType::Netting)
                .account_type(AccountType::Cash)
                .book_type(BookType::L1_MBP)
                .starting_balances(vec![Money::from("10 BTC"), Money::from("10_000_000 USDT")])
                .build(),
        )?;
        engine.add_instrument(&instrument)?;
        engine.add_strategy(EmaCross::new(instrument.id(), bar_type))?;
        engine.add_data(bars.clone(), None, true, true)?;
        let start = processor_seconds();
        engine.run(None, None, None, false)?;
        times.push(processor_seconds() - start);
        orders = engine.kernel().cache.borrow().orders(None, None, None, None, None).len();
        engine.dispose();
    }
    let first = bars.len() as f64 / times[0];
    times.sort_by(f64::total_cmp);
    let value = bars.len() as f64 / times[times.len() / 2];
    println!("{{\"value\":{value},\"bars\":{},\"firstPass\":{first},\"orders\":{orders}}}", bars.len());
    Ok(())
}
