import java.math.BigDecimal;
import java.util.List;
import org.knowm.xchange.Exchange;
import org.knowm.xchange.ExchangeFactory;
import org.knowm.xchange.ExchangeSpecification;
import org.knowm.xchange.currency.Currency;
import org.knowm.xchange.currency.CurrencyPair;
import org.knowm.xchange.dto.Order;
import org.knowm.xchange.dto.marketdata.OrderBook;
import org.knowm.xchange.dto.marketdata.Ticker;
import org.knowm.xchange.dto.marketdata.Trades;
import org.knowm.xchange.dto.trade.LimitOrder;
import org.knowm.xchange.dto.trade.MarketOrder;
import org.knowm.xchange.hitbtc.v2.HitbtcExchange;
import org.knowm.xchange.service.trade.params.DefaultCancelOrderByUserReferenceParams;

/** XChange's HitBTC (version 2) against a living exchange: lists, book, an order's life. Ends with 0 when all holds. */
public class Conversation {
  public static void main(String[] given) throws Exception {
    ExchangeSpecification where = new HitbtcExchange().getDefaultExchangeSpecification();
    where.setSslUri(given[0]);
    where.setPlainTextUri(given[0]);
    where.setHost("127.0.0.1");
    where.setApiKey(given[1]);
    where.setSecretKey(given[2]);
    where.setShouldLoadRemoteMetaData(true);
    Exchange exchange = ExchangeFactory.INSTANCE.createExchange(where);
    CurrencyPair pair = new CurrencyPair("ETH", "BTC");
    market(exchange, pair);
    order(exchange, pair);
    System.out.println("all held");
  }

  static void market(Exchange exchange, CurrencyPair pair) throws Exception {
    hold(exchange.getExchangeSymbols().contains(pair), "ETH/BTC is a symbol");
    Ticker ticker = exchange.getMarketDataService().getTicker(pair);
    hold(ticker.getBid().compareTo(ticker.getAsk()) < 0, "the ticker is not crossed");
    OrderBook book = exchange.getMarketDataService().getOrderBook(pair, 5);
    hold(book.getAsks().size() == 5, "the book has five asks");
    hold(
        book.getBids().get(0).getLimitPrice().compareTo(book.getAsks().get(0).getLimitPrice()) < 0,
        "the book is not crossed");
    Trades trades = exchange.getMarketDataService().getTrades(pair);
    hold(trades.getTrades().size() > 0, "there are trades");
  }

  static void order(Exchange exchange, CurrencyPair pair) throws Exception {
    BigDecimal before = free(exchange);
    LimitOrder bid =
        new LimitOrder.Builder(Order.OrderType.BID, pair)
            .originalAmount(new BigDecimal("0.5"))
            .limitPrice(new BigDecimal("0.01"))
            .build();
    String id = exchange.getTradeService().placeLimitOrder(bid);
    List<LimitOrder> open = exchange.getTradeService().getOpenOrders().getOpenOrders();
    hold(open.size() == 1 && open.get(0).getId().equals(id), "the order is open: " + open);
    hold(before.subtract(free(exchange)).compareTo(new BigDecimal("0.005005")) == 0, "its funds are reserved");
    var byReference = new DefaultCancelOrderByUserReferenceParams(open.get(0).getUserReference());
    hold(exchange.getTradeService().cancelOrder(byReference), "it is canceled");
    hold(free(exchange).compareTo(before) == 0, "its funds are free again");
    hold(exchange.getTradeService().getOpenOrders().getOpenOrders().isEmpty(), "nothing is open");
    MarketOrder buy = new MarketOrder(Order.OrderType.BID, new BigDecimal("0.1"), pair);
    hold(exchange.getTradeService().placeMarketOrder(buy) != null, "a market order is placed");
    var history = exchange.getTradeService().getTradeHistory(exchange.getTradeService().createTradeHistoryParams());
    BigDecimal sum =
        history.getUserTrades().stream()
            .map(trade -> trade.getOriginalAmount())
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    hold(sum.compareTo(new BigDecimal("0.1")) == 0, "own trades sum up: " + history);
  }

  static BigDecimal free(Exchange exchange) throws Exception {
    return exchange.getAccountService().getAccountInfo().getWallet("Trading").getBalance(Currency.BTC).getAvailable();
  }

  static void hold(boolean holds, String what) {
    if (holds) return;
    System.err.println("did not hold: " + what);
    System.exit(1);
  }
}
